/**
 * What admins change of other people: role and permissions, whether they may
 * come in, their sessions, a forgotten password, lost second factors. Nobody
 * acts on somebody who may do more, or on themselves where that could lock them
 * out, and an admin with all permissions who can sign in is always left.
 */
import { permissions as allPermissions, type Permission } from '@cambist/contract/endpoint';
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import * as accounts from '../account/account-store.ts';
import { endSessionsOf, type AuthDeps } from '../sessions/member-sessions.ts';
import { postReset } from '../password/password-reset.ts';
import { NO_NEW_ADDRESS } from '../people.ts';
import { offeredProviders } from '../oauth/provider-clients.ts';
import { removeAllFactors } from '../second-factor/second-factor.ts';
import { postSecurityChange } from '../security-emails.ts';
import * as standing from './manage-user-store.ts';
import * as store from '../store.ts';

export interface Operator {
  readonly actor: Actor;
  readonly origin: Origin;
}

interface Act {
  /** The audit log's word for it. */
  readonly action: string;
  /** Not on oneself. */
  readonly othersOnly?: true;
  /** Somebody who may no longer come in, or not as before. */
  readonly takesAway?: true;
  /** What the person is to be allowed afterwards, where that changes. */
  readonly grants?: readonly Permission[];
  /** Answers what the log should hold beside it. */
  readonly does: (tx: Tx, person: store.UserRow) => Promise<Readonly<Record<string, unknown>>>;
}

/** @throws {Refusal} 404; 403 `beyond_own_permissions`; 409 `own_account`, `last_admin` */
async function act(deps: AuthDeps, { actor, origin }: Operator, id: Id, work: Act): Promise<void> {
  await transaction(deps.db, async (tx) => {
    // One after the other: two admins who demote each other at once must not both succeed.
    await standing.lockStanding(tx);
    const operator = await store.findUser(tx, actor.id);
    const allowed = operator?.role === 'admin' && operator.permissions.includes('users');
    if (!allowed || operator.disabled_at) throw outOfOffice();
    const person = await store.lockUser(tx, id);
    if (!person || person.deleted_at) throw notFound();
    const isOwn = person.id === operator.id;
    if (work.othersOnly && isOwn) throw ownAccount();
    const touched = [
      ...(person.role === 'admin' ? person.permissions : []),
      ...(work.grants ?? []),
    ];
    if (!touched.every((name) => operator.permissions.includes(name))) throw beyondOwn();
    if (work.takesAway) await requireAnotherAdmin(deps, tx, person);
    const data = await work.does(tx, person);
    await record(tx, {
      actor,
      origin,
      action: work.action,
      subject_kind: 'user',
      subject_id: person.id,
      data,
    });
  });
}

/**
 * Refuses to take away the last admin with all permissions who can sign in; by a provider that is
 * not set up nobody can. The caller holds the lock of `lockStanding`.
 * @throws {Refusal} 409 `last_admin`
 */
export async function requireAnotherAdmin(
  deps: AuthDeps,
  tx: Tx,
  person: store.UserRow,
): Promise<void> {
  const isFull =
    person.role === 'admin' && allPermissions.every((name) => person.permissions.includes(name));
  if (!isFull) return;
  const providers = await offeredProviders({ ...deps, db: tx });
  const left = { permissions: allPermissions, providers };
  if (await standing.hasFullAdminBeside(tx, person.id, left)) return;
  throw new Refusal(
    409,
    'last_admin',
    'This is the last admin with all permissions who can sign in. Make another one first.',
  );
}

/**
 * Whoever opened an account on somebody's address holds its password: the console is for whoever
 * has shown that the address is theirs.
 * @throws {Refusal} 422 on `role`
 */
function requireProved(
  person: store.UserRow,
  wanted: readonly Permission[],
  role: 'user' | 'admin',
): void {
  if (role === 'user' || person.email_verified_at !== null) return;
  const isAdmin = person.role === 'admin';
  if (isAdmin && wanted.every((name) => person.permissions.includes(name))) return;
  throw invalid({
    role: 'This person has not confirmed their address. Only who has can work in the console.',
  });
}

/**
 * All sessions end: one that was opened with less must not become worth more.
 * @throws {Refusal} 422 on `role` for somebody whose address is not proved
 */
export function changeRole(
  deps: AuthDeps,
  operator: Operator,
  id: Id,
  { role, permissions }: { role: 'user' | 'admin'; permissions: readonly Permission[] },
): Promise<void> {
  if (role === 'user' && permissions.length > 0) {
    throw invalid({ permissions: 'A customer has no permissions.' });
  }
  const wanted = allPermissions.filter((name) => permissions.includes(name));
  return act(deps, operator, id, {
    action: 'users.role_changed',
    othersOnly: true,
    takesAway: true,
    grants: wanted,
    async does(tx, person) {
      requireProved(person, wanted, role);
      await accounts.updateUser(tx, id, { role, permissions: wanted });
      const ended = await endSessionsOf(tx, id);
      if (role !== person.role) {
        const kind = role === 'admin' ? 'admin-made' : 'admin-ended';
        await postSecurityChange(deps, tx, person, { kind });
      }
      const before = { role: person.role, permissions: person.permissions };
      return { before, after: { role, permissions: wanted }, sessions_ended: ended };
    },
  });
}

export function disable(deps: AuthDeps, operator: Operator, id: Id, reason: string): Promise<void> {
  return act(deps, operator, id, {
    action: 'users.disabled',
    othersOnly: true,
    takesAway: true,
    async does(tx, person) {
      await accounts.updateUser(tx, id, { disabled_at: person.disabled_at ?? deps.clock() });
      await accounts.deleteResetsOf(tx, id);
      return { reason: reason.trim(), sessions_ended: await endSessionsOf(tx, id) };
    },
  });
}

export function enable(deps: AuthDeps, operator: Operator, id: Id): Promise<void> {
  return act(deps, operator, id, {
    action: 'users.enabled',
    async does(tx) {
      await accounts.updateUser(tx, id, { disabled_at: null });
      return {};
    },
  });
}

export function endAllSessions(deps: AuthDeps, operator: Operator, id: Id): Promise<void> {
  return act(deps, operator, id, {
    action: 'users.sessions_ended',
    async does(tx) {
      return { sessions_ended: await endSessionsOf(tx, id) };
    },
  });
}

/** Nobody sees or sets another's password: it counts no more, and an email leads to a new one. */
export function forceReset(deps: AuthDeps, operator: Operator, id: Id): Promise<void> {
  return act(deps, operator, id, {
    action: 'users.password_reset_forced',
    takesAway: true,
    async does(tx, person) {
      const user = await accounts.updateUser(tx, id, {
        password_hash: null,
        // Kept until the next one is chosen, which must be another.
        taken_password_hash: person.password_hash ?? person.taken_password_hash,
        // Whoever had the old one may have asked for another address.
        ...NO_NEW_ADDRESS,
      });
      const ended = await endSessionsOf(tx, id);
      if (person.disabled_at === null) {
        await postReset(deps, tx, user, { forced: true });
      }
      return { sessions_ended: ended };
    },
  });
}

export function removeSecondFactor(
  deps: AuthDeps,
  operator: Operator,
  id: Id,
  reason: string,
): Promise<void> {
  return act(deps, operator, id, {
    action: 'users.second_factor_removed',
    othersOnly: true,
    async does(tx, person) {
      await removeAllFactors(deps, tx, person);
      return { reason: reason.trim() };
    },
  });
}

function outOfOffice(): Refusal {
  return new Refusal(403, 'forbidden', 'This action is unauthorized.');
}

function ownAccount(): Refusal {
  return new Refusal(409, 'own_account', 'Nobody does this to their own account.');
}

function beyondOwn(): Refusal {
  return new Refusal(
    403,
    'beyond_own_permissions',
    'This needs permissions that you do not have yourself.',
  );
}
