/**
 * Admins made from outside, by whoever may run commands on the machine: a second
 * one, or a new password for anybody who has lost theirs. No request leads here.
 */
import { permissions } from '@cambist/contract/endpoint';
import { record } from '#features/audit/audit.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { deleteResetsOf, updateUser } from '../account/account-store.ts';
import { lockUserByEmail, updateToAdmin } from './admin-account-store.ts';
import { goneWords } from '../emails.ts';
import { endSessionsOf, type AuthDeps } from '../sessions/member-sessions.ts';
import { createUser, NO_NEW_ADDRESS } from '../people.ts';
import { dropPlanted, saidAnew, type Planted } from '../sign-up/purge-unverified.ts';
import { postSecurityChange } from '../security-emails.ts';
import { updatePasswordHash, type UserRow } from '../store.ts';

export interface AdminAccount {
  /** In lower case, without spaces around it. */
  readonly email: string;
  /** Of the new password; used for a new account, one that nobody proved, and for a known one when `reset` says so. */
  readonly passwordHash: string;
  /**
   * Gives a known account the new password and nothing else: role and permissions stay. An
   * unknown one is then refused and not made.
   */
  readonly reset: boolean;
  /** What to call a new account, or one that nobody proved; whose account it is keeps their own name. */
  readonly name?: string | undefined;
}

type AdminDeps = Pick<AuthDeps, 'config' | 'clock' | 'db' | 'keys' | 'jobs'>;

export type AdminOutcome =
  /** The new password is in force where one is `created`, `taken_over` or `reset`. */
  | { readonly done: 'created' | 'taken_over'; readonly role: 'admin'; readonly name: string }
  | { readonly done: 'promoted' | 'kept' | 'reset'; readonly role: UserRow['role'] }
  | { readonly refused: 'unknown' | 'disabled' };

/**
 * Makes the person with this address an admin with all permissions, or creates
 * one; or gives the person a new password. Whenever a right or the password changes, all of the person's sessions
 * end: one that was opened with less must not become worth more, and whoever had
 * the old password is out. An account whose address nobody proved may be a stranger's: its password
 * and all that was set up on it go first. The person has an email of either, as when an admin does it.
 * @throws {MissingAppKey} where an email would have to be written.
 */
export async function makeAdmin(deps: AdminDeps, account: AdminAccount): Promise<AdminOutcome> {
  return transaction(deps.db, async (tx) => {
    const known = await lockUserByEmail(tx, account.email);
    if (known === undefined) {
      if (account.reset) return { refused: 'unknown' };
      const created = await create(tx, account, deps.clock());
      if (created) return { done: 'created', role: 'admin', name: created.name };
      // Somebody signed up with this address a moment ago.
      return promote(deps, tx, await mustLock(tx, account.email), account);
    }
    const act = account.reset ? resetPassword : promote;
    return act(deps, tx, known, account);
  });
}

/** What nobody has said yet of a person who is made here: what stands there may be a stranger's words. */
const UNSAID = { name: 'Admin', locale: 'en' };

async function create(
  tx: Tx,
  { email, passwordHash, name = UNSAID.name }: AdminAccount,
  now: Date,
): Promise<UserRow | undefined> {
  const user = await createUser(tx, {
    ...UNSAID,
    name,
    email,
    passwordHash,
    now,
    role: 'admin',
    permissions,
    // Whoever may run commands here answers for it.
    emailVerifiedAt: now,
  });
  if (user) await note(tx, user, 'auth.admin_created', { permissions });
  return user;
}

async function mustLock(tx: Tx, email: string): Promise<UserRow> {
  const user = await lockUserByEmail(tx, email);
  if (user === undefined) throw new Error('The account came and went.');
  return user;
}

async function promote(
  deps: AdminDeps,
  tx: Tx,
  user: UserRow,
  account: AdminAccount,
): Promise<AdminOutcome> {
  if (user.disabled_at !== null) return { refused: 'disabled' };
  const unproved = user.email_verified_at === null;
  const isFull =
    user.role === 'admin' && permissions.every((one) => user.permissions.includes(one));
  if (isFull && !unproved) return { done: 'kept', role: 'admin' };
  const sessionsEnded = await endSessionsOf(tx, user.id);
  const { owned, dropped } = unproved
    ? await takeOver(deps, tx, user, account)
    : { owned: user, dropped: null };
  await updateToAdmin(tx, user.id, permissions);
  if (user.role !== 'admin' || unproved) {
    const gone = dropped ? { gone: goneWords(owned.name, dropped) } : {};
    await postSecurityChange(deps, tx, owned, { kind: 'admin-made', ...gone });
  }
  const before = { role: user.role, permissions: user.permissions };
  await note(tx, user, 'auth.admin_granted', {
    before,
    permissions,
    sessions_ended: sessionsEnded,
    ...(dropped ? { taken_over: true, changed: ['name', ...dropped] } : {}),
  });
  return unproved
    ? { done: 'taken_over', role: 'admin', name: owned.name }
    : { done: 'promoted', role: 'admin' };
}

/**
 * As if the account were new: whoever runs the desk answers for the address, and nobody else is left
 * in it. Answers also what else is gone.
 */
async function takeOver(
  { clock }: AdminDeps,
  tx: Tx,
  user: UserRow,
  { passwordHash, name = UNSAID.name }: AdminAccount,
): Promise<{ owned: UserRow; dropped: Planted[] }> {
  await deleteResetsOf(tx, user.id);
  const dropped = await dropPlanted(tx, user);
  const owned = await updateUser(tx, user.id, {
    ...UNSAID,
    name,
    password_hash: passwordHash,
    taken_password_hash: null,
    terms_accepted_at: null,
    email_verified_at: clock(),
    pending_email: null,
    verification_sent_at: null,
    verification_next: null,
  });
  return { owned, dropped };
}

async function resetPassword(
  deps: AdminDeps,
  tx: Tx,
  user: UserRow,
  { passwordHash }: AdminAccount,
): Promise<AdminOutcome> {
  if (user.disabled_at !== null) return { refused: 'disabled' };
  const sessionsEnded = await endSessionsOf(tx, user.id);
  await updatePasswordHash(tx, user.id, passwordHash);
  // Or a link that somebody has got hold of would still choose another one.
  await deleteResetsOf(tx, user.id);
  const dropped = user.email_verified_at === null ? await dropPlanted(tx, user) : null;
  // Whoever had the old password may have asked for another address.
  const changed = await updateUser(tx, user.id, {
    ...NO_NEW_ADDRESS,
    ...(dropped ? saidAnew(user.email) : {}),
  });
  const gone = dropped ? goneWords(changed.name, dropped) : [];
  await postSecurityChange(deps, tx, changed, { kind: 'password-reset-by-desk', gone });
  await note(tx, user, 'auth.password_reset', {
    sessions_ended: sessionsEnded,
    ...(dropped ? { changed: ['name', ...dropped] } : {}),
  });
  return { done: 'reset', role: user.role };
}

/** The command knows no person, so the system is who did it. */
async function note(tx: Tx, user: UserRow, action: string, data: object): Promise<void> {
  await record(tx, {
    actor: 'system',
    origin: null,
    action,
    subject_kind: 'user',
    subject_id: user.id,
    data: { ...data },
  });
}
