import type { ConverterCurrency } from '@cambist/contract/pairs';
import { formatFigure } from '#lib/format/figure.ts';
import { roundLimit } from '#lib/format/round-limit.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';

/** What can be paid out now: `2,000.00 EUR`. */
export function reserveText({ reserve, reserve_capped, unit }: ConverterCurrency): string {
  const amount = formatFigure(roundLimit(reserve), getLocale());
  return reserve_capped ? m.site_rate_terms_reserve_capped({ amount, unit }) : `${amount} ${unit}`;
}
