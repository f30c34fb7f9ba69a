/**
 * What admins change of other users: role and permissions, blocking, their sessions, a forgotten password,
 * lost second factors. No admin acts on a user who has more permissions, or on themselves where that could
 * lock them out, and an admin with all permissions who can sign in is always left.
 */
import { permissions as allPermissions, type Permission } from '@cambist/contract/endpoint';
import { differences } from '#features/audit/audit.ts';
import type { By } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { offeredProviders } from '../oauth/clients.ts';
import { sendForcedReset } from '../password/password-reset.ts';
import { deleteResetsOf } from '../password/store.ts';
import { removeAllFactors } from '../second-factor/second-factor.ts';
import { emailSecurityChange } from '../security-emails.ts';
import { endSessionsOf, type AuthDeps } from '../sessions/sessions.ts';
import * as users from '../store.ts';
import { NO_PENDING_EMAIL, recipientOf, recordUserEvent } from '../users.ts';
import { differenceFacts, emailAdmins } from './admin-emails.ts';
import * as store from './store.ts';

interface Change {
  /** The action in the audit log. */
  readonly action: string;
  readonly othersOnly?: true;
  /** The user can no longer sign in, or not as before. */
  readonly takesAway?: true;
  /** Permissions that the user has afterwards, where they change. */
  readonly grants?: readonly Permission[];
  /** Returns the data of the audit event. */
  readonly apply: (tx: Tx, user: users.UserRow) => Promise<Readonly<Record<string, unknown>>>;
}

/** @throws {Refusal} 404; 403 `beyond_own_permissions`; 409 `own_account`, `last_admin` */
async function changeUser(
  deps: AuthDeps,
  { actor, origin }: By,
  id: Id,
  change: Change,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    // One after the other: two admins who demote each other at once must not both succeed.
    await store.lockAdmins(tx);
    const operator = await users.findUser(tx, actor.id);
    const isAllowed = operator?.role === 'admin' && operator.permissions.includes('users');
    if (!isAllowed || operator.disabled_at) {
      throw new Refusal(403, 'forbidden', 'This action is unauthorized.');
    }
    const user = await users.lockUser(tx, id);
    if (!user || user.deleted_at) throw notFound();
    if (change.othersOnly && user.id === operator.id) {
      throw new Refusal(409, 'own_account', 'You cannot do this to your own account.');
    }
    const touched = [...(user.role === 'admin' ? user.permissions : []), ...(change.grants ?? [])];
    if (!touched.every((name) => operator.permissions.includes(name))) {
      const message = 'This needs permissions that you do not have yourself.';
      throw new Refusal(403, 'beyond_own_permissions', message);
    }
    if (change.takesAway) await requireAnotherAdmin(deps, tx, user);
    const data = await change.apply(tx, user);
    await recordUserEvent(tx, change.action, user, { actor, origin }, data);
  });
}

/**
 * Refuses to remove the last admin with all permissions who can sign in; a provider that is not configured
 * is no way to sign in. The caller holds the lock of `lockAdmins`.
 * @throws {Refusal} 409 `last_admin`
 */
export async function requireAnotherAdmin(
  deps: AuthDeps,
  tx: Tx,
  user: users.UserRow,
): Promise<void> {
  const isFull =
    user.role === 'admin' && allPermissions.every((name) => user.permissions.includes(name));
  if (!isFull) return;
  const providers = await offeredProviders({ ...deps, db: tx });
  const needed = { permissions: allPermissions, providers };
  if (await store.hasOtherFullAdmin(tx, user.id, needed)) return;
  throw new Refusal(
    409,
    'last_admin',
    'This is the last admin with all permissions who can sign in. Add another one first.',
  );
}

/**
 * Anyone can open an account with another person's address and knows its password, so an unverified user
 * becomes no admin and gets no more permissions.
 * @throws {Refusal} 422 on `role`
 */
function requireVerified(
  user: users.UserRow,
  wanted: readonly Permission[],
  role: 'user' | 'admin',
): void {
  if (role === 'user' || user.email_verified_at !== null) return;
  const isAdmin = user.role === 'admin';
  if (isAdmin && wanted.every((name) => user.permissions.includes(name))) return;
  throw invalid({
    role: 'This user has not confirmed their address. Only users who have can work in the console.',
  });
}

/**
 * All sessions of the user end: a session must not gain permissions that it started without.
 * @throws {Refusal} 422 on `role` for an unverified user, and on `permissions`
 */
export function changeRole(
  deps: AuthDeps,
  by: By,
  id: Id,
  { role, permissions }: { role: 'user' | 'admin'; permissions: readonly Permission[] },
): Promise<void> {
  if (role === 'user' && permissions.length > 0) {
    throw invalid({ permissions: 'A customer has no permissions.' });
  }
  const wanted = allPermissions.filter((name) => permissions.includes(name));
  return changeUser(deps, by, id, {
    action: 'users.role_changed',
    othersOnly: true,
    takesAway: true,
    grants: wanted,
    async apply(tx, user) {
      requireVerified(user, wanted, role);
      const before = { role: user.role, permissions: user.permissions };
      const after = { role, permissions: wanted };
      const changes = differences(before, after, ['role', 'permissions']);
      await emailAboutAdmin(deps, tx, by, user, changes);
      await users.updateUser(tx, id, { role, permissions: wanted });
      const ended = await endSessionsOf(tx, id);
      if (role !== user.role) {
        const kind = role === 'admin' ? 'admin-made' : 'admin-ended';
        await emailSecurityChange(deps, tx, user, { kind });
      }
      return { before, after, sessions_ended: ended };
    },
  });
}

/** Before the change, so that an admin who is shut out gets it too: a thief would begin with them. */
function emailAboutAdmin(
  deps: AuthDeps,
  tx: Tx,
  { actor }: By,
  user: users.UserRow,
  changes: ReturnType<typeof differences>,
): Promise<void> {
  const email = {
    kind: 'role-changed',
    subject: `What ${user.name} may do was changed`,
    paragraphs: [`${actor.name} changed what ${user.name} (${user.email}) may do in the console.`],
    facts: differenceFacts(changes),
    action: { label: 'Open the user', path: `/admin/users/${user.id}` },
  };
  return emailAdmins(deps, tx, 'users', email, user.role === 'admin' ? [recipientOf(user)] : []);
}

export function disable(deps: AuthDeps, by: By, id: Id, reason: string): Promise<void> {
  return changeUser(deps, by, id, {
    action: 'users.disabled',
    othersOnly: true,
    takesAway: true,
    async apply(tx, user) {
      if (user.role === 'admin' && user.disabled_at === null)
        await emailAboutAdmin(deps, tx, by, user, {
          disabled: { before: false, after: true },
        });
      await users.updateUser(tx, id, { disabled_at: user.disabled_at ?? deps.clock() });
      await deleteResetsOf(tx, id);
      return { reason: reason.trim(), sessions_ended: await endSessionsOf(tx, id) };
    },
  });
}

export function enable(deps: AuthDeps, by: By, id: Id): Promise<void> {
  return changeUser(deps, by, id, {
    action: 'users.enabled',
    async apply(tx, user) {
      await users.updateUser(tx, id, { disabled_at: null });
      if (user.role === 'admin' && user.disabled_at !== null)
        await emailAboutAdmin(deps, tx, by, user, {
          disabled: { before: true, after: false },
        });
      return {};
    },
  });
}

export function endAllSessions(deps: AuthDeps, by: By, id: Id): Promise<void> {
  return changeUser(deps, by, id, {
    action: 'users.sessions_ended',
    apply: async (tx) => ({ sessions_ended: await endSessionsOf(tx, id) }),
  });
}

/** The password stops working and an email leads to a new one: no admin sees or sets a user's password. */
export function forceReset(deps: AuthDeps, by: By, id: Id): Promise<void> {
  return changeUser(deps, by, id, {
    action: 'users.password_reset_forced',
    takesAway: true,
    async apply(tx, before) {
      const user = await users.updateUser(tx, id, {
        password_hash: null,
        // The new password must be another one.
        taken_password_hash: before.password_hash ?? before.taken_password_hash,
        ...NO_PENDING_EMAIL,
      });
      const ended = await endSessionsOf(tx, id);
      if (before.disabled_at === null) await sendForcedReset(deps, tx, user);
      return { sessions_ended: ended };
    },
  });
}

export function removeSecondFactor(deps: AuthDeps, by: By, id: Id, reason: string): Promise<void> {
  return changeUser(deps, by, id, {
    action: 'users.second_factor_removed',
    othersOnly: true,
    async apply(tx, user) {
      await removeAllFactors(deps, tx, user);
      return { reason: reason.trim() };
    },
  });
}
