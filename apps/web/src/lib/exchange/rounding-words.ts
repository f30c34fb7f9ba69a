/** Says that a rate was rounded down, so that the margin can be recalculated. */
import { m } from '#lib/paraglide/messages.js';
import { rateRoundedTo } from './rounding.ts';

/** Empty for an exact rate. */
export function rateRoundedWords(price: Parameters<typeof rateRoundedTo>[0]): string {
  const decimals = rateRoundedTo(price);
  if (decimals === null) return '';
  return decimals === 0
    ? m.exchange_price_rate_rounded_whole()
    : m.exchange_price_rate_rounded({ decimals });
}
