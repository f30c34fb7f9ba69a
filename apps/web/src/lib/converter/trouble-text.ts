/** Why an amount cannot be exchanged. */
import { formatFigure } from '#lib/format/figure.ts';
import { roundLimit } from '#lib/format/round-limit.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import type { Limit, Trouble } from './price.ts';

const limits = {
  below_min: m.site_converter_below_min,
  above_max: m.site_converter_above_max,
  above_reserve: m.site_converter_above_reserve,
  no_reserve: m.site_converter_no_reserve,
};

export function troubleText(trouble: Limit | Trouble): string {
  const { code, unit } = trouble;
  if ('amount' in trouble) {
    const amount = trouble.amount && formatFigure(roundLimit(trouble.amount), getLocale());
    return limits[trouble.code]({ amount, unit });
  }
  if (code === 'too_small') return m.site_converter_too_small();
  if (code === 'too_large') return m.site_converter_too_large();
  if (code === 'unreadable') return m.ui_amount_unreadable();
  return trouble.decimals === 0
    ? m.site_converter_no_decimals({ unit })
    : m.site_converter_too_many_decimals({ unit, decimals: trouble.decimals });
}
