/**
 * Which new passwords are refused: those that attackers try early, by the estimate of @zxcvbn-ts/core
 * (common passwords, words, rows of keys, repeats and dates, with usual additions), and those that can be
 * derived from the account. No composition rules: they make users choose worse passwords (NIST SP 800-63B,
 * 3.1.1.2).
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '#kernel/refusal.ts';
import type { UserRow } from '../store.ts';
import { verifyPassword } from './passwords.ts';

interface NewPassword {
  readonly password: string;
  readonly password_confirmation?: string;
}

export interface PasswordContext {
  readonly name: string;
  readonly email: string;
  readonly siteName: string;
}

const COMMON = 'This password is easy to guess. Choose a longer one, such as four words.';
const PERSONAL = 'This password is too close to your name, your address or this site.';
const SAME = 'This is your current password. Choose another one.';
const TAKEN = 'This password was reset to keep your account safe. Choose another one.';
/** Shorter words occur in many passwords by chance. */
const SHORTEST_WORD = 3;
/**
 * Guesses, as a power of ten, below which a password with a known word or pattern is refused: `Qwertz123!`
 * and `Bayern1900!` have 8.2, ten random letters 10, four words 12 or more. A password without a word or
 * pattern is as good as its length, which the contract bounds.
 */
const FEWEST_GUESSES_LOG10 = 8.5;
/** The estimate takes time quadratic in the length; the rest of the password only adds to it. */
const LONGEST_ESTIMATED = 40;
/** Substitutions of signs for letters (`P@ssw0rd`) that are tried; the default of a hundred takes seconds. */
const MOST_READINGS = 8;

/** What is wrong with a new password, as an error on the field `password`. The contract checks its length. */
export async function newPasswordErrors(
  { password, password_confirmation: confirmation }: NewPassword,
  context: PasswordContext,
): Promise<{ password?: string }> {
  if (confirmation !== undefined && confirmation !== password) {
    return { password: 'The password confirmation does not match.' };
  }
  const reason = await weaknessOf(password, context);
  return reason === null ? {} : { password: reason };
}

/** @throws {Refusal} 422 on `password`, also for the current password and the last one that was reset */
export async function requireNewPassword(
  body: NewPassword,
  user: UserRow,
  siteName: string,
): Promise<void> {
  const errors = await newPasswordErrors(body, { ...user, siteName });
  if (errors.password !== undefined) throw invalid({ password: errors.password });
  const { password_hash: current, taken_password_hash: reset } = user;
  if (current !== null && (await verifyPassword(body.password, current))) {
    throw invalid({ password: SAME });
  }
  if (reset !== null && (await verifyPassword(body.password, reset))) {
    throw invalid({ password: TAKEN });
  }
}

async function weaknessOf(password: string, context: PasswordContext): Promise<string | null> {
  const estimator = await openEstimator();
  const start = password.slice(0, LONGEST_ESTIMATED);
  const { guessesLog10, sequence } = estimator.check(start, wordsOf(context));
  if (guessesLog10 >= FEWEST_GUESSES_LOG10) return null;
  const patterns = sequence.filter(({ pattern }) => pattern !== 'bruteforce');
  if (patterns.length === 0) return null;
  return patterns.some(({ dictionaryName }) => dictionaryName === 'userInputs') ? PERSONAL : COMMON;
}

let estimator: Promise<ZxcvbnFactory> | null = null;

/** Loaded when the first password is chosen, not at every start. */
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

/** Words of the account, as they are and without signs. */
function wordsOf({ name, email, siteName }: PasswordContext): string[] {
  const [local = '', domain = ''] = email.split('@');
  return [name, ...name.split(/\s+/), local, ...local.split(/[.+_-]/), email, siteName]
    .concat(domain.split('.'))
    .flatMap((word) => [word, word.replace(/[^\p{L}\p{N}]/gu, '')])
    .filter((word) => word.length >= SHORTEST_WORD);
}
