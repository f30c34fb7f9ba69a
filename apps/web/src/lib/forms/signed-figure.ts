/** A decimal that may be below zero, as a person writes it: a margin in the customer's favour. */
import { readFigure } from '#lib/format/figure.ts';

/** Canonical (`"-0.50"`), or null where it cannot be read. */
export function readSignedFigure(text: string, locale: string): string | null {
  const trimmed = text.trim();
  const negative = /^[-\u2212]/.test(trimmed);
  const figure = readFigure(negative ? trimmed.slice(1) : trimmed, locale);
  if (figure === null) return null;
  return negative && /[1-9]/.test(figure) ? `-${figure}` : figure;
}
