/**
 * Passwords that no list need hold, since anybody can go through them: a short
 * part again and again, and rows of letters, digits or keys. Pure.
 */

/** A part of up to this many signs that makes up the whole is no password. */
const LONGEST_PART = 5;
/** Shorter pieces of a row are in every other password by chance. */
const SHORTEST_ROW = 3;
/** Where a row counts as one piece and any other sign as one too: so many are too few. */
const FEW_PIECES = 3;

/** The keys of a hand's way over QWERTY, QWERTZ and AZERTY, beside the digits. */
const KEYS = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiopü',
  'azertyuiop',
  'asdfghjkl;',
  'asdfghjklöä',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
];
const WAYS = [...KEYS, ...KEYS.map((keys) => [...keys].toReversed().join(''))];

/** Whether it is one part over and over, the last time perhaps cut: `abcabcab`. */
export function isRepeat(password: string): boolean {
  const signs = [...password.toLowerCase()];
  const longest = Math.min(LONGEST_PART, Math.floor(signs.length / 2));
  for (let part = 1; part <= longest; part += 1) {
    if (signs.every((sign, index) => sign === signs[index % part])) return true;
  }
  return false;
}

/** Whether it is hardly more than a few rows one after the other: `abcdefgh`, `qwertz123`, `4321aaaa`. */
export function isRow(password: string): boolean {
  const signs = [...password.toLowerCase()];
  let pieces = 0;
  for (let at = 0; at < signs.length; pieces += 1) {
    const length = rowLength(signs, at);
    at += length < SHORTEST_ROW ? 1 : length;
  }
  return pieces <= FEW_PIECES;
}

/** How many signs from here on follow each other, in whichever way goes on longest. */
function rowLength(signs: readonly string[], start: number): number {
  const steps = [0, 1, -1].map((step) =>
    lengthWhile(signs, start, (before, sign) => codeOf(sign) - codeOf(before) === step),
  );
  const ways = WAYS.map((keys) =>
    lengthWhile(signs, start, (before, sign) => keys.includes(before + sign)),
  );
  return Math.max(...steps, ...ways);
}

function lengthWhile(
  signs: readonly string[],
  start: number,
  follows: (before: string, sign: string) => boolean,
): number {
  let end = start + 1;
  while (end < signs.length && follows(signs[end - 1] ?? '', signs[end] ?? '')) end += 1;
  return end - start;
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}
