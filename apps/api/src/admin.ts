/** Making an admin from outside: for a command, beside a running service or without one. */
import { Email } from '@cambist/contract/wire';
import { Value } from 'typebox/value';
import { systemClock } from '#kernel/clock.ts';
import { makeAdmin, type AdminOutcome } from '#features/auth/admin-account.ts';
import { countUsers, hashPassword } from '#features/auth/auth.ts';
import { connect, openDatabase, sqlState } from '#platform/database.ts';
import { newPassword } from './seed/people.ts';

export type MadeAdmin =
  | Exclude<AdminOutcome, { done: unknown }>
  | { readonly refused: 'no_address' | 'no_desk' }
  | {
      readonly done: 'created' | 'promoted' | 'kept' | 'reset';
      readonly role: 'user' | 'admin';
      readonly email: string;
      /** In clear, to be told once; null when the password stays. */
      readonly newPassword: string | null;
    };

const UNDEFINED_TABLE = '42P01';

/** See {@link makeAdmin}. A desk without anybody is refused: its first start makes the first admin. */
export async function makeAdminIn(
  databaseUrl: string,
  { address, reset }: { address: string; reset: boolean },
): Promise<MadeAdmin> {
  const email = address.trim().toLowerCase();
  if (!Value.Check(Email, email)) return { refused: 'no_address' };
  const sql = connect(databaseUrl, 1);
  const db = openDatabase(sql);
  try {
    if ((await countUsers(db)) === 0) return { refused: 'no_desk' };
    const password = newPassword();
    const passwordHash = await hashPassword(password);
    const outcome = await makeAdmin(db, { email, passwordHash, reset, now: systemClock() });
    if ('refused' in outcome) return outcome;
    const isNew = outcome.done === 'created' || outcome.done === 'reset';
    return { ...outcome, email, newPassword: isNew ? password : null };
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return { refused: 'no_desk' };
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
