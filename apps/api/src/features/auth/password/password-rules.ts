/**
 * Which passwords are refused: those that attackers try early, by the estimate of
 * @zxcvbn-ts/core (common passwords, words, rows of keys, repeats and dates, with what people put
 * around them), and those that can be read off the account. No rules of composition: they make
 * people choose worse ones (NIST SP 800-63B, 3.1.1.2).
 */
import type { MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { verifyPassword } from './passwords.ts';
import type { UserRow } from '../store.ts';

export interface PasswordContext {
  readonly name: string;
  readonly email: string;
  readonly siteName: string;
}

const COMMON =
  'This password is among those that are guessed first. Choose a longer one, such as four words.';
const PERSONAL = 'This password is too close to your name, your address or this site.';
const REPEAT = 'This password mostly repeats itself. Choose another one.';
const ROW =
  'This password is little more than a row of letters, digits or keys. Choose another one.';
const SAME = 'This is the password that you have already. Choose another one.';
const TAKEN = 'This password was taken away to keep your account safe. Choose another one.';
/** Shorter words are in every other password by chance. */
const SHORTEST_WORD = 3;
/**
 * Guesses, as a power of ten, below which a password with a known word or pattern in it is refused:
 * `Qwertz123!` and `Bayern1900!` have 8.2, ten random letters 10, four words 12 or more. One without
 * any word or pattern is as good as its length, which the contract bounds.
 */
const FEWEST_GUESSES_LOG10 = 8.5;
/** The estimate's time grows with the square of the length: what stands behind only adds to it. */
const LONGEST_ESTIMATED = 40;
/** Readings of signs as letters (`P@ssw0rd`) that are tried; a hundred, the library's own, take seconds. */
const MOST_READINGS = 8;

/**
 * What is wrong with a new password, as an error on the field `password`; none
 * when it can be used. Its length is the contract's to check.
 */
export async function passwordErrors(
  password: string,
  context: PasswordContext,
): Promise<{ password?: string }> {
  if (isPersonal(password, context)) return { password: PERSONAL };
  const estimator = await openEstimator();
  const start = password.slice(0, LONGEST_ESTIMATED);
  const { guessesLog10, sequence } = estimator.check(start, wordsOf(context));
  if (guessesLog10 >= FEWEST_GUESSES_LOG10) return {};
  const patterns = sequence.filter(({ pattern }) => pattern !== 'bruteforce');
  const longest = patterns.toSorted((a, b) => b.token.length - a.token.length)[0];
  return longest === undefined ? {} : { password: reasonOf(longest) };
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

function reasonOf({ pattern, dictionaryName }: MatchExtended): string {
  if (pattern === 'repeat') return REPEAT;
  if (pattern === 'sequence' || pattern === 'spatial') return ROW;
  return dictionaryName === 'userInputs' ? PERSONAL : COMMON;
}

let estimator: Promise<ZxcvbnFactory> | null = null;

/** Unpacked when the first password is chosen, not at every start. */
function openEstimator(): Promise<ZxcvbnFactory> {
  estimator ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) =>
      new ZxcvbnFactory({
        dictionary,
        graphs: adjacencyGraphs,
        l33tMaxSubstitutions: MOST_READINGS,
      }),
  );
  return estimator;
}

/** The words that belong to the account, in lower case. */
function wordsOf({ name, email, siteName }: PasswordContext): string[] {
  const [local = '', domain = ''] = email.split('@');
  return [name, ...name.split(/\s+/), local, ...local.split(/[.+_-]/), email, siteName]
    .concat(domain.split('.'))
    .map(lettersOf)
    .filter((word) => word.length >= SHORTEST_WORD);
}

/** Whether nothing is left of it beside digits around the words that belong to the account. */
function isPersonal(password: string, context: PasswordContext): boolean {
  const words = wordsOf(context);
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
