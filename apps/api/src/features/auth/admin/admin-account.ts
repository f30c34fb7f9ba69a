/**
 * The command `npm run admin`: makes an admin, or gives any user a new password. Only an operator with
 * access to the machine can run it; no request leads here.
 */
import { permissions } from '@cambist/contract/endpoint';
import { bySystem } from '#kernel/actor.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { purgedNotice } from '../emails.ts';
import { notifyProved } from '../sign-in/attempts.ts';
import { takeOver } from '../password/new-password.ts';
import { emailSecurityChange } from '../security-emails.ts';
import { endSessionsOf, type AuthDeps } from '../sessions/sessions.ts';
import { updateUser, type UserRow } from '../store.ts';
import { createUser, recordUserEvent } from '../users.ts';
import { lockUserByEmail } from './store.ts';

export interface AdminAccount {
  /** In lower case, without spaces around it. */
  readonly email: string;
  /** Of the new password; used for a new or unverified account, and with `reset` for any. */
  readonly passwordHash: string;
  /** Only sets the password of an existing account; role and permissions stay. */
  readonly reset: boolean;
  /** The name of a new or unverified account; other users keep their own. */
  readonly name?: string | undefined;
}

type AdminDeps = Pick<AuthDeps, 'config' | 'clock' | 'db' | 'keys' | 'jobs'>;

export type AdminOutcome =
  /** The new password is set after `created`, `taken_over` and `reset`. */
  | { readonly done: 'created' | 'taken_over'; readonly role: 'admin'; readonly name: string }
  | { readonly done: 'promoted' | 'unchanged' | 'reset'; readonly role: UserRow['role'] }
  | { readonly refused: 'unknown' | 'disabled' };

const DEFAULT_NAME = 'Admin';

/**
 * Makes the user with this address an admin with all permissions, or creates one; or sets a new password.
 * Every change ends the user's sessions, and the user gets an email. An account whose address was never
 * verified may be an attacker's: its password and everything set up on it are removed first.
 * @throws {MissingAppKey} when an email must be sent
 */
export async function makeAdmin(deps: AdminDeps, account: AdminAccount): Promise<AdminOutcome> {
  return transaction(deps.db, async (tx) => {
    const known = await lockUserByEmail(tx, account.email);
    if (known !== undefined) {
      if (known.disabled_at !== null) return { refused: 'disabled' };
      return account.reset
        ? resetPassword(deps, tx, known, account)
        : promote(deps, tx, known, account);
    }
    if (account.reset) return { refused: 'unknown' };
    const created = await create(tx, account, deps.clock());
    if (created) return { done: 'created', role: 'admin', name: created.name };
    // Another command, or a sign-up, has just created it.
    const user = await lockUserByEmail(tx, account.email);
    if (user === undefined) throw new Error('The account was created and deleted meanwhile.');
    return promote(deps, tx, user, account);
  });
}

async function create(
  tx: Tx,
  { email, passwordHash, name = DEFAULT_NAME }: AdminAccount,
  now: Date,
): Promise<UserRow | undefined> {
  const user = await createUser(tx, {
    name,
    email,
    passwordHash,
    now,
    role: 'admin',
    permissions,
    // The operator who runs the command answers for the address.
    emailVerifiedAt: now,
  });
  if (user) await recordUserEvent(tx, 'auth.admin_created', user, bySystem, { permissions });
  return user;
}

async function promote(
  deps: AdminDeps,
  tx: Tx,
  user: UserRow,
  account: AdminAccount,
): Promise<AdminOutcome> {
  const unverified = user.email_verified_at === null;
  const isFull =
    user.role === 'admin' && permissions.every((one) => user.permissions.includes(one));
  if (isFull && !unverified) return { done: 'unchanged', role: 'admin' };
  const change = { role: 'admin' as const, permissions: [...permissions] };
  const { user: admin, sessionsEnded } = unverified
    ? await takeOver(tx, user, account.passwordHash, {
        ...change,
        name: account.name ?? DEFAULT_NAME,
        email_verified_at: deps.clock(),
        verification_sent_at: null,
      })
    : {
        user: await updateUser(tx, user.id, change),
        sessionsEnded: await endSessionsOf(tx, user.id),
      };
  if (user.role !== 'admin' || unverified) {
    const purged = unverified ? { purged: purgedNotice(admin.name) } : {};
    await emailSecurityChange(deps, tx, admin, { kind: 'admin-made', ...purged });
  }
  await recordUserEvent(tx, 'auth.admin_granted', user, bySystem, {
    before: { role: user.role, permissions: user.permissions },
    permissions,
    sessions_ended: sessionsEnded,
    ...(unverified ? { taken_over: true } : {}),
  });
  return unverified
    ? { done: 'taken_over', role: 'admin', name: admin.name }
    : { done: 'promoted', role: 'admin' };
}

async function resetPassword(
  deps: AdminDeps,
  tx: Tx,
  user: UserRow,
  { passwordHash }: AdminAccount,
): Promise<AdminOutcome> {
  const { user: changed, sessionsEnded, purged } = await takeOver(tx, user, passwordHash);
  const notice = purged ? purgedNotice(changed.name) : [];
  await notifyProved(tx, changed);
  await emailSecurityChange(deps, tx, changed, { kind: 'password-reset-by-desk', purged: notice });
  await recordUserEvent(tx, 'auth.password_reset', user, bySystem, {
    sessions_ended: sessionsEnded,
    ...(purged ? { purged } : {}),
  });
  return { done: 'reset', role: user.role };
}
