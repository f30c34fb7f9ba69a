/** A rate alert as text. */
import type { AlertDirection } from '@cambist/contract/alerts';
import { formatFigure } from '#lib/format/figure.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';

interface Line {
  readonly direction: AlertDirection;
  readonly target: string;
  readonly send: { readonly unit: string };
  readonly receive: { readonly unit: string };
}

/** `1 USD gives at least 0.95 EUR` */
export function lineInWords({ direction, target, send, receive }: Line): string {
  const figures = {
    target: formatFigure(target, getLocale()),
    send: send.unit,
    receive: receive.unit,
  };
  return direction === 'at_least'
    ? m.alerts_line_at_least(figures)
    : m.alerts_line_at_most(figures);
}
