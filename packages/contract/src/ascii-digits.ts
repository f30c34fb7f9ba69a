/** Digits of any script, as the ten that are counted with. Both applications read typed figures by it. Pure. */

const DIGIT = /\p{Nd}/u;

export function asciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)));
}

/** The digits of a script stand together, from zero to nine, at times several sets in a row (Unicode, 4.6). */
function valueOf(code: number): number {
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}
