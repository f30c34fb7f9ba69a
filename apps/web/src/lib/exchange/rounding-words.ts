/** What is said of a rate that was rounded down, so that the margin in it can be worked out again. */
import { m } from '#lib/paraglide/messages.js';
import { rateRoundedTo } from './rounding.ts';

/** Empty where the rate came out even. */
export function rateRoundedWords(price: Parameters<typeof rateRoundedTo>[0]): string {
  const decimals = rateRoundedTo(price);
  if (decimals === null) return '';
  return decimals === 0
    ? m.exchange_price_rate_rounded_whole()
    : m.exchange_price_rate_rounded({ decimals });
}
