/**
 * Formats and reads amounts and rates. They are decimal strings and stay exact: Intl formats the
 * string itself, and reading never makes a number.
 */
import { asciiDigits } from '@cambist/contract/ascii-digits';
import { numberFormat } from './intl.ts';

/** Whether Intl can format it exactly. */
function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

export interface FigureOptions {
  /** Adds a plus sign, for changes. */
  signed?: boolean;
  /** The minimum of decimals; given digits are never dropped. */
  minimumDecimals?: number;
  grouping?: boolean;
}

/** `"12345.60"` as `12,345.60` in English, with every digit. */
export function formatFigure(decimal: string, locale: string, options: FigureOptions = {}): string {
  if (!isDecimal(decimal)) return decimal;
  const decimals = Math.max(decimal.split('.')[1]?.length ?? 0, options.minimumDecimals ?? 0);
  const format = numberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: options.signed ? 'exceptZero' : 'auto',
    useGrouping: options.grouping ?? true,
  });
  // A true minus is as wide as a digit and does not break from its number.
  return format.format(decimal).replace('-', '\u2212');
}

/** Longer fractions do not fit in a narrow column. */
const DIGITS_TOGETHER = 9;

/** Where a long figure may break: after a separator, and in the middle of a long fraction. */
export function figurePieces(figure: string): string[] {
  return figure.split(/(?<=\d\D)(?=\d)/).flatMap((piece) => {
    const half = Math.ceil(piece.length / 2);
    return piece.length > DIGITS_TOGETHER ? [piece.slice(0, half), piece.slice(half)] : [piece];
  });
}

interface Separators {
  group: string;
  decimal: string;
}

/** The separators of a locale; a group separator may be any space. */
function separators(locale: string): Separators {
  const parts = numberFormat(locale, { useGrouping: 'always' }).formatToParts('1234567.8');
  const find = (type: string, fallback: string) =>
    parts.find((part) => part.type === type)?.value ?? fallback;
  return { group: find('group', ','), decimal: find('decimal', '.') };
}

/**
 * Reads typed text as a canonical decimal (`"1234.50"`), or null. Spaces and apostrophes group.
 * With both point and comma the last is the decimal separator; one that repeats groups; a single
 * one groups only where the locale would write it so, before exactly three digits.
 */
export function readFigure(text: string, locale: string): string | null {
  const plain = toAsciiDigits(text).replace(/[\s\u00a0\u202f'’_]/g, '');
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(plain)) return null;
  const decimalMark = decimalMarkOf(plain, separators(locale));
  const [whole = '', fraction, ...more] = decimalMark === null ? [plain] : plain.split(decimalMark);
  if (more.length > 0 || (fraction !== undefined && /[.,]/.test(fraction))) return null;
  const digits = ungrouped(whole);
  if (digits === null) return null;
  const trimmed = digits.replace(/^0+(?=\d)/, '') || '0';
  return fraction ? `${trimmed}.${fraction}` : trimmed;
}

/** Reads a figure that may be below zero; a zero has no sign. */
export function readSignedFigure(text: string, locale: string): string | null {
  const trimmed = text.trim();
  const negative = /^[-\u2212]/.test(trimmed);
  const figure = readFigure(negative ? trimmed.slice(1) : trimmed, locale);
  return figure !== null && negative && /[1-9]/.test(figure) ? `-${figure}` : figure;
}

function decimalMarkOf(plain: string, { group }: Separators): '.' | ',' | null {
  const points = plain.split('.').length - 1;
  const commas = plain.split(',').length - 1;
  if (points > 0 && commas > 0) return plain.lastIndexOf('.') > plain.lastIndexOf(',') ? '.' : ',';
  const mark = points > 0 ? '.' : commas > 0 ? ',' : null;
  if (mark === null || points + commas > 1) return null;
  const groups = mark === group && /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain);
  return groups ? null : mark;
}

/** The digits of a whole part whose groups have two or three digits. */
function ungrouped(whole: string): string | null {
  if (/^\d*$/.test(whole)) return whole;
  return /^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(whole) ? whole.replace(/[.,]/g, '') : null;
}

/** Digits and separators of other scripts in ASCII. */
export function toAsciiDigits(text: string): string {
  return asciiDigits(text).replaceAll('٫', '.').replaceAll('٬', ',');
}
