/** Words that a line must not break, though it may behind any hyphen: numbers, codes, pairs. Pure. */

/** What fits a phone's line beside other words; a longer code has to break. */
const MOST_SIGNS = 24;
const HYPHENED = /(?<![\p{L}\p{N}])([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+)(?![\p{L}\p{N}])/u;

export interface Piece {
  readonly text: string;
  /** To be shown in one line. */
  readonly whole: boolean;
}

/** The pieces of a text in their order, such as `CX-7F3K-92QD`, `BTC-USDT` and `e-mail` apart from what stands around them. */
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

/** A name or an ordinary compound may break, or a narrow line would be half empty. */
function isWhole(word: string): boolean {
  if (word.length > MOST_SIGNS) return false;
  return /^e-mails?$/i.test(word) || /\p{N}/u.test(word) || word === word.toUpperCase();
}
