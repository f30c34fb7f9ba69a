/**
 * Pure: the fields that customers fill in. `fieldErrors` validates their definition by an admin,
 * `checkAllAnswers` a customer's answers.
 */
import { readAnswer } from '@cambist/contract/answer';
import { refuseIfAny, type FieldErrors } from '#kernel/amount-field.ts';
import type { FieldJson, LineJson } from '#platform/db/json-columns.ts';
import { readAddress } from './address.ts';
import { matchesPattern, patternError } from './pattern.ts';

export type AnsweredPart = 'payout_fields' | 'sender_fields' | 'fields';
export type Answers = Readonly<Record<string, string>>;

/** Sentences by field. */
export function fieldErrors(part: AnsweredPart, fields: readonly FieldJson[]): FieldErrors {
  const errors: FieldErrors = {};
  const seen = new Set<string>();
  fields.forEach(({ key, check, pattern }, at) => {
    if (seen.has(key)) errors[`${part}.${at}.key`] = `The key ${key} is used by another field.`;
    seen.add(key);
    const patternFault = pattern === undefined ? null : patternError(pattern);
    const name = `${part}.${at}.pattern`;
    if (check === 'pattern' && pattern === undefined)
      errors[name] = `The field ${key} needs a pattern.`;
    else if (patternFault !== null) errors[name] = `The pattern of ${key} ${patternFault}.`;
    else if (pattern !== undefined && check !== 'pattern' && check !== 'address') {
      errors[name] = `The field ${key} takes no pattern, since it is checked as ${check}.`;
    }
  });
  return errors;
}

/**
 * Validates both parts together, so that a customer sees all errors at once. The lines are in the
 * order of the fields, as exchanges store them.
 * @throws Refusal 422 by `payout_fields.<key>` and `sender_fields.<key>`
 */
export function checkAllAnswers(
  payout: { fields: readonly FieldJson[]; answers: Answers },
  sender: { fields: readonly FieldJson[]; answers: Answers },
): { payout_fields: LineJson[]; sender_fields: LineJson[] } {
  const first = readAnswers(payout.fields, payout.answers, 'payout_fields');
  const second = readAnswers(sender.fields, sender.answers, 'sender_fields');
  refuseIfAny({ ...first.errors, ...second.errors });
  return { payout_fields: first.lines.map(lineOf), sender_fields: second.lines.map(lineOf) };
}

const lineOf = ({ label, value }: LineJson): LineJson => ({ label, value });

/** Each with its field's key; what a field does not accept is an error by `<part>.<key>` instead. */
export function readAnswers(fields: readonly FieldJson[], answers: Answers, part: AnsweredPart) {
  const lines: (LineJson & { key: string })[] = [];
  const errors: FieldErrors = {};
  for (const field of fields) {
    const name = `${part}.${field.key}`;
    const answer = (answers[field.key] ?? '').trim();
    if (answer === '') {
      if (field.required) errors[name] = `The ${field.label} is required.`;
      continue;
    }
    const value = readAnswer(field, answer, { matches: matchesPattern, readAddress });
    if (value === null) errors[name] = `The ${field.label} ${wrong[field.check]}`;
    else lines.push({ key: field.key, label: field.label, value });
  }
  for (const key of Object.keys(answers)) {
    if (!fields.some((field) => field.key === key)) {
      errors[`${part}.${key}`] = `The field ${key} does not exist here.`;
    }
  }
  return { lines, errors };
}

const wrong: Readonly<Record<FieldJson['check'], string>> = {
  text: 'must be plain text of at most 300 characters.',
  name: 'must be a name of 2 to 100 letters.',
  iban: 'is not a valid IBAN; please check for a typing mistake.',
  card: 'is not a valid card number; please check for a mistyped digit.',
  address: 'is not a valid address for this currency; please copy it again.',
  phone: 'must be a phone number with its country code, such as +44 20 7946 0000.',
  email: 'must be an email address.',
  pattern: 'does not have the expected form.',
};
