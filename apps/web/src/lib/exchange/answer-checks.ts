/**
 * Checks the answers to a pair's fields as they are typed. The API checks again, and more strictly.
 * Pure.
 */
import type { Field } from '@cambist/contract/currencies';
import { readIban } from '@cambist/contract/account-numbers';
import { readAnswer, type AnswerChecks } from '@cambist/contract/answer';

export type AnswerFault = 'missing' | Field['check'];

/** The fault of one answer, named after the failed check; null when it passes. */
export function answerFault(field: Field, answer: string): AnswerFault | null {
  const text = answer.trim();
  if (text === '') return field.required ? 'missing' : null;
  return readAnswer(field, text, checks) === null ? field.check : null;
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

const checks: AnswerChecks = {
  // A pattern that this browser cannot parse is left to the API.
  matches: (pattern, text) => {
    try {
      return new RegExp(`^(?:${pattern})$`, 'u').test(text);
    } catch {
      return true;
    }
  },
  // The checksum of an address is left to the API.
  readAddress: (text) => (/^[A-Za-z0-9][A-Za-z0-9:_.-]{19,119}$/.test(text) ? text : null),
};

/** An answer as the API will save it: an IBAN without spaces, in capitals. */
export function answerShown(field: Field, answer: string): string {
  return readAnswer(field, answer, checks) ?? answer;
}

/** An IBAN in groups of four, as on bank cards; anything else in one piece. */
export function accountGroups(text: string): readonly string[] {
  return readIban(text)?.match(/.{1,4}/g) ?? [text];
}
