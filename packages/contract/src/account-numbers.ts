/** Pure: account and card numbers with check digits. */

/** Lengths by country, from the IBAN registry (SWIFT, ISO 13616). */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 ' +
    'DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 ' +
    'IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
    'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number.parseInt(entry.slice(2), 10)] as const),
);

/** Without spaces, in capitals. Null unless country, length and check digits are right. */
export function readIban(text: string): string | null {
  const iban = text.replace(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/.test(iban)) return null;
  if (LENGTHS.get(iban.slice(0, 2)) !== iban.length) return null;
  // ISO 7064, MOD 97-10: the first four characters go last, A counts as 10.
  const rearranged = iban.slice(4) + iban.slice(0, 4);
  const digits = rearranged.replace(/[A-Z]/g, (character) => String(character.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n ? iban : null;
}

/** Digits only. Null unless 12 to 19 digits with a right last one (ISO/IEC 7812, Luhn). */
export function readCardNumber(text: string): string | null {
  const card = text.replace(/[\s-]/g, '');
  if (!/^[0-9]{12,19}$/.test(card)) return null;
  const sum = [...card].toReversed().reduce((total, digit, place) => {
    const value = digit.charCodeAt(0) - 48;
    const doubled = place % 2 === 0 ? value : value * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 ? card : null;
}
