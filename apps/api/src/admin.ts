/** The command `npm run admin`, with or without a running service. */
import { Email } from '@cambist/contract/wire';
import { pino } from 'pino';
import { Value } from 'typebox/value';
import { makeAdmin, type AdminOutcome } from '#features/auth/admin/admin-account.ts';
import { hashPassword } from '#features/auth/password/passwords.ts';
import { isName } from '#features/auth/users.ts';
import { countUsers } from '#features/auth/store.ts';
import { sqlState } from '#platform/db/database.ts';
import type { Config } from './config.ts';
import { openDeps } from './open.ts';
import { newPassword } from './seed/people.ts';

export type MadeAdmin =
  | Exclude<AdminOutcome, { done: unknown }>
  | { readonly refused: 'no_address' | 'no_name' | 'no_desk' }
  | (Extract<AdminOutcome, { done: unknown }> & {
      readonly email: string;
      /** In clear, to be shown once; null when the password is unchanged. */
      readonly newPassword: string | null;
    });

const UNDEFINED_TABLE = '42P01';

/**
 * See {@link makeAdmin}. Refuses a desk without users, whose first start makes the first admin. Emails are sent
 * by the running service, or at its next start.
 */
export async function makeAdminIn(
  config: Config,
  databaseUrl: string,
  { address, reset, ...asked }: { address: string; reset: boolean; name?: string | undefined },
): Promise<MadeAdmin> {
  const email = address.trim().toLowerCase();
  if (!Value.Check(Email, email)) return { refused: 'no_address' };
  const name = asked.name?.trim();
  if (name !== undefined && !isName(name)) return { refused: 'no_name' };
  const log = pino({ level: 'silent' });
  const { deps, close } = openDeps({ config, databaseUrl, log, poolSize: 1 });
  try {
    if ((await countUsers(deps.db)) === 0) return { refused: 'no_desk' };
    const password = newPassword();
    const passwordHash = await hashPassword(password);
    const outcome = await makeAdmin(deps, { email, passwordHash, reset, name });
    if ('refused' in outcome) return outcome;
    const isOld = outcome.done === 'promoted' || outcome.done === 'unchanged';
    return { ...outcome, email, newPassword: isOld ? null : password };
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return { refused: 'no_desk' };
    throw error;
  } finally {
    await close();
  }
}
