/** Numbers, codes and pairs with hyphens, such as `CX-7F3K-92QD`, where a line must not break. */

/** A longer code would not fit a phone's line. */
const MOST_SIGNS = 24;
const HYPHENED = /(?<![\p{L}\p{N}])([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+)(?![\p{L}\p{N}])/u;

export interface Piece {
  readonly text: string;
  /** Shown with `white-space: nowrap`. */
  readonly whole: boolean;
}

/** Splits a text into pieces that may and may not break. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(HYPHENED).entries()) {
    const whole = index % 2 === 1 && isWhole(part);
    const last = pieces.at(-1);
    if (last && !whole && !last.whole) pieces.splice(-1, 1, { text: last.text + part, whole });
    else if (part !== '') pieces.push({ text: part, whole });
  }
  return pieces;
}

/** Names and ordinary compounds may break. */
function isWhole(word: string): boolean {
  if (word.length > MOST_SIGNS) return false;
  return /^e-mails?$/i.test(word) || /\p{N}/u.test(word) || word === word.toUpperCase();
}
