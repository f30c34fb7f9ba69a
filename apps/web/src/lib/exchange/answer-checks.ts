/**
 * Checks the answers to a pair's fields as they are typed. The API checks again and knows more
 * (lengths by country, checksums of addresses); this only finds obvious mistakes. Pure.
 */
import type { Field } from '@cambist/contract/currencies';
import { isPlainText } from '@cambist/contract/visible-text';

export type AnswerFault = 'missing' | Field['check'];

/** The fault of one answer, named after the failed check; null when it passes. */
export function answerFault(field: Field, answer: string): AnswerFault | null {
  const text = answer.trim();
  if (text === '') return field.required ? 'missing' : null;
  return passes(field, text) ? null : field.check;
}

/** Faults by field key; empty when there are none. */
export function answerFaults(
  fields: readonly Field[],
  answers: Readonly<Record<string, string>>,
): Record<string, AnswerFault> {
  const faults: Record<string, AnswerFault> = {};
  for (const field of fields) {
    const fault = answerFault(field, answers[field.key] ?? '');
    if (fault !== null) faults[field.key] = fault;
  }
  return faults;
}

/** The answers to these fields without empty ones: the API refuses unknown fields. */
export function answersFor(
  fields: readonly Field[],
  answers: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = fields.map(({ key }) => [key, (answers[key] ?? '').trim()] as const);
  return Object.fromEntries(kept.filter(([, value]) => value !== ''));
}

function passes({ check, pattern }: Field, text: string): boolean {
  if (text.length > 300 || !isPlainText(text)) return false;
  switch (check) {
    case 'text':
      return true;
    case 'name':
      return isName(text);
    case 'iban':
      return isIban(text);
    case 'card':
      return isCardNumber(text);
    case 'phone':
      return /^(\+|00)[1-9]\d{6,14}$/.test(text.replace(/[\s().-]/g, ''));
    case 'email':
      return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
    case 'address':
      return /^[A-Za-z0-9][A-Za-z0-9:_.-]{19,119}$/.test(text) && fits(pattern, text);
    case 'pattern':
      return fits(pattern, text);
  }
}

/** Names of people and companies, by the API's rule. */
function isName(text: string): boolean {
  const name = text.replace(/\s+/g, ' ');
  return /^[\p{L}\p{M}\p{N}\p{Join_Control} .,'’&()/-]{2,100}$/u.test(name) && /\p{L}/u.test(name);
}

/** A pattern that this browser cannot parse is left to the API. */
function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text);
  } catch {
    return true;
  }
}

/**
 * ISO 7064 MOD 97-10: the first four characters go last, letters count from 10, the remainder is 1.
 */
export function isIban(text: string): boolean {
  const iban = text.replace(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(iban)) return false;
  const rearranged = iban.slice(4) + iban.slice(0, 4);
  return (
    BigInt(rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n === 1n
  );
}

/** ISO/IEC 7812 (Luhn): every second digit from the right counts double. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = digit.charCodeAt(0) - 48;
    const counted = place % 2 === 0 ? value : value * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}

/** An answer as the API will save it: an IBAN without spaces, in capitals. */
export function answerShown(check: string, answer: string): string {
  return check === 'iban' ? answer.replace(/[\s-]/g, '').toUpperCase() : answer;
}

/** An IBAN in groups of four, as on bank cards; anything else in one piece. */
export function accountGroups(text: string): readonly string[] {
  const plain = text.replace(/\s/g, '');
  return isIban(plain) ? (plain.match(/.{1,4}/g) ?? [text]) : [text];
}
