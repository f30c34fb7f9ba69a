/** Why an amount cannot be exchanged. */
import { formatFigure } from '#lib/format/figure.ts';
import { roundLimit } from '#lib/format/round-limit.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import type { Limit, Trouble } from './price.ts';

export function troubleText(trouble: Limit | Trouble): string {
  switch (trouble.code) {
    case 'below_min':
      return m.site_converter_below_min({
        amount: formatFigure(roundLimit(trouble.amount), getLocale()),
        unit: trouble.unit,
      });
    case 'above_max':
      return m.site_converter_above_max({
        amount: formatFigure(roundLimit(trouble.amount), getLocale()),
        unit: trouble.unit,
      });
    case 'above_reserve':
      return m.site_converter_above_reserve({
        amount: formatFigure(roundLimit(trouble.amount), getLocale()),
        unit: trouble.unit,
      });
    case 'no_reserve':
      return m.site_converter_no_reserve({ unit: trouble.unit });
    case 'too_many_decimals':
      return trouble.decimals === 0
        ? m.site_converter_no_decimals({ unit: trouble.unit })
        : m.site_converter_too_many_decimals({ unit: trouble.unit, decimals: trouble.decimals });
    case 'too_small':
      return m.site_converter_too_small();
    case 'too_large':
      return m.site_converter_too_large();
    case 'unreadable':
      return m.ui_amount_unreadable();
  }
}
