/**
 * Reads a customer's answer to a field, in the API and, for early errors, in the browser. Pure.
 */
import { readCardNumber, readIban } from './account-numbers.ts';
import type { Field } from './currencies.ts';
import { isPlainText } from './visible-text.ts';

/** What the API checks more strictly than the browser can. */
export interface AnswerChecks {
  readonly matches: (pattern: string, answer: string) => boolean;
  /** The normalised address; null for an invalid one. */
  readonly readAddress: (answer: string) => string | null;
}

export const MAX_ANSWER = 300;

/** The normalised answer; null where the field's check refuses it. */
export function readAnswer(
  { check, pattern }: Pick<Field, 'check' | 'pattern'>,
  answer: string,
  { matches, readAddress }: AnswerChecks,
): string | null {
  // Invisible characters could hide the payee from the operator.
  if (answer.length > MAX_ANSWER || !isPlainText(answer)) return null;
  switch (check) {
    case 'text':
      return answer;
    case 'name':
      return readName(answer);
    case 'iban':
      return readIban(answer);
    case 'card':
      return readCardNumber(answer);
    case 'address':
      return pattern === undefined || matches(pattern, answer) ? readAddress(answer) : null;
    case 'phone':
      return readPhone(answer);
    case 'email':
      return /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@.]{1,63}(\.[^\s@.]{1,63}){1,4}$/.test(answer)
        ? answer
        : null;
    case 'pattern':
      return pattern !== undefined && matches(pattern, answer) ? answer : null;
  }
}

/** Names of people and companies. */
function readName(text: string): string | null {
  const name = text.replace(/\s+/g, ' ');
  return /^[\p{L}\p{M}\p{N}\p{Join_Control} .,'’&()/-]{2,100}$/u.test(name) && /\p{L}/u.test(name)
    ? name
    : null;
}

/** E.164: a plus and 7 to 15 digits, without spaces. */
function readPhone(text: string): string | null {
  const phone = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return /^\+[1-9][0-9]{6,14}$/.test(phone) ? phone : null;
}
