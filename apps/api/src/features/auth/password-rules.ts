/**
 * Which passwords are refused: those that attackers try first, repeats and rows,
 * and those that anybody could read off the account. No rules of composition: they make people
 * choose worse ones (NIST SP 800-63B, 3.1.1.2).
 */
import { password as limits } from '@cambist/contract/accounts';
import { verifyPassword } from './passwords.ts';
import { isRepeat, isRow } from './simple-passwords.ts';
import type { UserRow } from './store.ts';

export interface PasswordContext {
  readonly name: string;
  readonly email: string;
  readonly siteName: string;
}

const COMMON = 'This password is among those that are guessed first. Choose another one.';
const PERSONAL = 'This password is too close to your name, your address or this site.';
const REPEAT = 'This password only repeats itself. Choose another one.';
const ROW =
  'This password is little more than a row of letters, digits or keys. Choose another one.';
const SAME = 'This is the password that you have already. Choose another one.';
const TAKEN = 'This password was taken away to keep your account safe. Choose another one.';
/** Shorter words are in every other password by chance. */
const SHORTEST_WORD = 3;

/**
 * What is wrong with a new password, as an error on the field `password`; none
 * when it can be used. Its length is the contract's to check.
 */
export async function passwordErrors(
  password: string,
  context: PasswordContext,
): Promise<{ password?: string }> {
  if ((await commonPasswords()).has(password.toLowerCase())) return { password: COMMON };
  if (isPersonal(password, context)) return { password: PERSONAL };
  if (isRepeat(password)) return { password: REPEAT };
  if (isRow(password)) return { password: ROW };
  return {};
}

/**
 * What is wrong with a new password that is the old one, or the one that the
 * desk took away because somebody else may know it.
 */
export async function reuseErrors(
  password: string,
  owner: Pick<UserRow, 'password_hash' | 'taken_password_hash'>,
): Promise<{ password?: string }> {
  const { password_hash: now, taken_password_hash: taken } = owner;
  if (now !== null && (await verifyPassword(password, now))) return { password: SAME };
  if (taken !== null && (await verifyPassword(password, taken))) return { password: TAKEN };
  return {};
}

/** The confirmation is optional on the wire and must fit when it is there. */
export function confirmationErrors(
  password: string,
  confirmation: string | undefined,
): { password?: string } {
  if (confirmation === undefined || confirmation === password) return {};
  return { password: 'The password confirmation does not match.' };
}

let common: Promise<ReadonlySet<string>> | null = null;

/** Unpacked when the first password is chosen, not at every start. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const long = dictionary['passwords-common'].filter(
      (word) => word.length >= limits.minimumLength,
    );
    return new Set(long.map((word) => word.toLowerCase()));
  });
  return common;
}

/** Whether nothing is left of it beside digits around the words that belong to the account. */
function isPersonal(password: string, { name, email, siteName }: PasswordContext): boolean {
  const [local = '', domain = ''] = email.split('@');
  const words = [name, ...name.split(/\s+/), local, ...local.split(/[.+_-]/), email, siteName]
    .concat(domain.split('.'))
    .map(lettersOf)
    .filter((word) => word.length >= SHORTEST_WORD);
  const whole = lettersOf(password);
  const core = whole.replace(/^\d+|\d+$/g, '');
  return [whole, core].some((text) => text !== '' && isMadeOf(text, words));
}

/** Without a regular expression, whose time to fail could be endless for some names. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0]);
  for (let end = 1; end <= text.length; end += 1) {
    const fits = words.some(
      (word) => reached.has(end - word.length) && text.startsWith(word, end - word.length),
    );
    if (fits) reached.add(end);
  }
  return reached.has(text.length);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
