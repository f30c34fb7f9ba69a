/**
 * The fields that a pair asks for, checked while they are filled in. The service
 * checks again and knows more (lengths by country, checksums of addresses); what
 * passes here is only free of plain slips. Pure.
 */
import type { Field } from '@cambist/contract/currencies';
import { isPlainText } from '@cambist/contract/visible-text';

export type AnswerFault = 'missing' | Field['check'];

/** The fault of one answer, named after the check it fails; null when it passes. */
export function answerFault(field: Field, answer: string): AnswerFault | null {
  const text = answer.trim();
  if (text === '') return field.required ? 'missing' : null;
  return passes(field, text) ? null : field.check;
}

/** Faults by the field's key; empty when all is well. */
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

/** Only what is asked for, without what is empty: the service refuses fields it does not know. */
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

/** People and companies, with the marks and digits that names have; as the service reads it. */
function isName(text: string): boolean {
  const name = text.replace(/\s+/g, ' ');
  return /^[\p{L}\p{M}\p{N}\p{Join_Control} .,'’&()/-]{2,100}$/u.test(name) && /\p{L}/u.test(name);
}

/** What this browser cannot read as a pattern is left for the service to judge. */
function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text);
  } catch {
    return true;
  }
}

/** ISO 7064, MOD 97-10: the first four go last, letters count from 10, the rest is 1. */
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
