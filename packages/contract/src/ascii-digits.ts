/** Arabic, Persian and full-width digits as 0 to 9. Pure. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹０-９]/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 15));
}
