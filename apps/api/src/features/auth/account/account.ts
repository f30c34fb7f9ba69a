/** What a person changes of their own account: name, language, password and address. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type {
  changeEmail as ChangeEmail,
  changePassword as ChangePassword,
  updateProfile as UpdateProfile,
  User,
} from '@cambist/contract/accounts';
import type { Actor } from '#kernel/actor.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { enqueueEmail } from '#features/email/email.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import * as accounts from './account-store.ts';
import type { Attempts } from '../sign-in/attempts.ts';
import { deleteBrowsersOf } from '../sign-in/known-browsers-store.ts';
import { emailsIn } from '../emails.ts';
import {
  endSessionsOf,
  lockOwner,
  sessionOfMember,
  startSession,
  type AuthDeps,
  type SignedIn,
  type Visit,
} from '../sessions/member-sessions.ts';
import { proveOwner } from '../password/own-password.ts';
import { confirmationErrors, passwordErrors, reuseErrors } from '../password/password-rules.ts';
import { hashPassword } from '../password/passwords.ts';
import { nameErrors, NO_NEW_ADDRESS, normalized, recipientOf, wireUser } from '../people.ts';
import * as store from '../store.ts';
import { postVerification } from '../sign-up/verification.ts';
import { countCorrection } from '../sign-up/verification-pause.ts';

/** @throws {Refusal} 401 when the session ended meanwhile, as everywhere here; 422 on `name` */
export async function updateProfile(
  deps: AuthDeps,
  visit: Visit,
  actor: Actor,
  body: BodyOf<typeof UpdateProfile>,
): Promise<User> {
  const name = body.name?.trim();
  const wrong = name === undefined ? {} : nameErrors(name);
  if (wrong.name !== undefined) throw invalid({ name: wrong.name });
  const user = await transaction(deps.db, async (tx) => {
    const before = await lockOwner(tx, sessionOfMember(visit));
    const wanted = { name: name ?? before.name, locale: body.locale ?? before.locale };
    const changed = (['name', 'locale'] as const).filter((part) => wanted[part] !== before[part]);
    if (changed.length === 0) return before;
    const after = await accounts.updateUser(tx, actor.id, wanted);
    // The desk compares names with those of accounts, so a change of one is worth a line.
    await record(tx, {
      actor,
      origin: visit.origin,
      action: 'auth.profile_changed',
      subject_kind: 'user',
      subject_id: after.id,
      data: { changed },
    });
    return after;
  });
  return wireUser(deps, user);
}

/**
 * A new password, or a first one. All sessions end; the one in use goes on
 * under a new id, so a copy of its cookie is worth nothing either. It is no
 * fresher than it was: only a confirmation opens dangerous acts.
 * @throws {Refusal} 422 on `current_password` and `password`; 403 `confirmation_required`; 429
 */
export async function changePassword(
  deps: AuthDeps,
  attempts: Attempts,
  visit: Visit,
  actor: Actor,
  body: BodyOf<typeof ChangePassword>,
): Promise<SignedIn> {
  const user = await mustFind(deps, actor);
  if (user.password_hash !== null && body.current_password === undefined) {
    throw invalid({ current_password: 'The current password field is required.' });
  }
  await proveOwner(deps, attempts, visit, user, body.current_password);
  const { site_name: siteName } = await read(deps, 'general');
  const wrong = {
    ...(await reuseErrors(body.password, user)),
    ...(await passwordErrors(body.password, { ...user, siteName })),
    ...confirmationErrors(body.password, body.password_confirmation),
  };
  if (wrong.password !== undefined) throw invalid({ password: wrong.password });
  const password_hash = await hashPassword(body.password);
  const { changed, session } = await transaction(deps.db, async (tx) => {
    const locked = await lockOwner(tx, sessionOfMember(visit));
    // Of two changes at once the second one's current password is the old one.
    if (locked.password_hash !== user.password_hash) throw wrongPassword();
    const changed = await accounts.updateUser(tx, user.id, {
      password_hash,
      taken_password_hash: null,
      // Whoever knew the old one may have asked for another address.
      ...NO_NEW_ADDRESS,
    });
    await accounts.deleteResetsOf(tx, user.id);
    // Whoever knew the old one may have made theirs known.
    await deleteBrowsersOf(tx, user.id);
    const ended = await endSessionsOf(tx, user.id);
    const { member } = sessionOfMember(visit);
    const session = await startSession(deps, tx, visit, actor, {
      remember: member?.remember ?? false,
      ...(member ? { confirmedAt: member.confirmedAt } : {}),
    });
    await enqueueEmail(deps, tx, {
      kind: 'password-changed',
      to: recipientOf(changed),
      content: emailsIn(changed.locale).passwordChanged(changed.name, deps.clock()),
    });
    await record(tx, {
      actor,
      origin: visit.origin,
      action: 'auth.password_changed',
      subject_kind: 'user',
      subject_id: user.id,
      data: { sessions_ended: ended - 1 },
    });
    return { changed, session };
  });
  // The links that were deleted can be asked for again.
  attempts.proved(changed.email);
  return { user: await wireUser(deps, changed), session };
}

/**
 * Asks for another address. It counts once its own email's link was followed;
 * one's present address again takes the wish back, which needs no proof: whoever
 * finds a change that they did not ask for undoes it at once. One that another account has is
 * answered like any other, or this would tell who has an account.
 * @throws {Refusal} 422 on `current_password`; 403 `confirmation_required`; 429
 */
export async function changeEmail(
  deps: AuthDeps,
  attempts: Attempts,
  visit: Visit,
  actor: Actor,
  body: BodyOf<typeof ChangeEmail>,
): Promise<User> {
  const user = await mustFind(deps, actor);
  const email = normalized(body.email);
  const dropping = email === user.email;
  if (!dropping) await proveOwner(deps, attempts, visit, user, body.current_password);
  const changed = await transaction(deps.db, async (tx) => {
    const locked = await lockOwner(tx, sessionOfMember(visit));
    const pending_email = dropping || email === locked.email ? null : email;
    if (pending_email !== null) await countCorrection(deps, tx, locked);
    const after = await accounts.updateUser(tx, user.id, { pending_email });
    if (pending_email !== null) {
      await postVerification(deps, tx, after);
      await warnOldAddress(deps, tx, locked);
    }
    await record(tx, {
      actor,
      origin: visit.origin,
      action: pending_email === null ? 'auth.email_change_dropped' : 'auth.email_change_asked',
      subject_kind: 'user',
      subject_id: user.id,
    });
    return after;
  });
  return wireUser(deps, changed);
}

/** At once, while the change can still be taken back: whoever asked may have stolen the session. */
async function warnOldAddress(deps: AuthDeps, tx: Tx, user: store.UserRow): Promise<void> {
  if (user.email_verified_at === null) return;
  await enqueueEmail(deps, tx, {
    kind: 'address-change-asked',
    to: recipientOf(user),
    content: emailsIn(user.locale).addressChangeAsked(user.name, deps.clock()),
  });
}

async function mustFind({ db }: AuthDeps, { id }: Actor): Promise<store.UserRow> {
  const user = await store.findUser(db, id);
  if (!user) throw notFound();
  return user;
}

function wrongPassword() {
  return invalid({ current_password: 'The current password is not right.' });
}
