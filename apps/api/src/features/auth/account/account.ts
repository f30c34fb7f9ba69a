/** Changes of the user's own account: name, language, password and address. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type {
  changeEmail as ChangeEmail,
  changePassword as ChangePassword,
  updateProfile as UpdateProfile,
  User,
} from '@cambist/contract/accounts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction } from '#platform/db/database.ts';
import { emails } from '../emails.ts';
import { requireNewPassword } from '../password/password-rules.ts';
import { hashPassword } from '../password/passwords.ts';
import { setPassword } from '../password/new-password.ts';
import type { MemberContext } from '../sessions/request-context.ts';
import {
  lockSessionUser,
  memberOf,
  startSession,
  type AuthDeps,
  type SignedIn,
} from '../sessions/sessions.ts';
import type { Attempts } from '../sign-in/attempts.ts';
import { requireOwner } from '../sign-in/confirmation.ts';
import { countCorrection, sendVerification } from '../sign-up/verification.ts';
import { updateUser } from '../store.ts';
import {
  emailUser,
  nameErrors,
  normalizeEmail,
  recordUserEvent,
  requireUser,
  toWireUser,
} from '../users.ts';

/** @throws {Refusal} 401 when the session ended meanwhile, as everywhere here; 422 on `name`; 403 for the desk's fields */
export async function updateProfile(
  deps: AuthDeps,
  context: MemberContext,
  body: BodyOf<typeof UpdateProfile>,
): Promise<User> {
  const name = body.name?.trim();
  const errors = name === undefined ? {} : nameErrors(name);
  if (errors.name !== undefined) throw invalid({ name: errors.name });
  const user = await transaction(deps.db, async (tx) => {
    const before = await lockSessionUser(tx, context.session);
    const { locale, desk_notices, desk_digest } = before;
    const wanted = {
      name: before.name,
      locale,
      desk_notices,
      desk_digest,
      ...body,
      ...(name ? { name } : {}),
    };
    const parts = ['name', 'locale', 'desk_notices', 'desk_digest'] as const;
    const changed = parts.filter((part) => wanted[part] !== before[part]);
    if (changed.length === 0) return before;
    const isDesk = changed.some((part) => part === 'desk_notices' || part === 'desk_digest');
    if (isDesk && !before.permissions.includes('desk'))
      throw new Refusal(403, 'forbidden', 'This action is unauthorized.');
    await recordUserEvent(tx, 'auth.profile_changed', before, context, { changed });
    // The first digest tells what has come since the choice.
    const since = changed.includes('desk_digest') ? { desk_digest_at: deps.clock() } : {};
    return updateUser(tx, before.id, { ...wanted, ...since });
  });
  return toWireUser(deps, user);
}

/**
 * Sets a new password, or a first one. All sessions end; the current one continues under a new id, so a
 * copy of its cookie stops working too. It does not count as freshly confirmed.
 * @throws {Refusal} 422 on `current_password` and `password`; 403 `confirmation_required`; 429
 */
export async function changePassword(
  deps: AuthDeps,
  attempts: Attempts,
  context: MemberContext,
  body: BodyOf<typeof ChangePassword>,
): Promise<SignedIn> {
  const user = await requireUser(deps.db, context.actor.id);
  if (user.password_hash !== null && body.current_password === undefined) {
    throw invalid({ current_password: 'The current password field is required.' });
  }
  await requireOwner(deps, attempts, context, user, body.current_password);
  const { site_name: siteName } = await read(deps, 'general');
  await requireNewPassword(body, user, siteName);
  const passwordHash = await hashPassword(body.password);
  const { changed, session } = await transaction(deps.db, async (tx) => {
    const locked = await lockSessionUser(tx, context.session);
    // Of two concurrent changes the second one's current password is outdated.
    if (locked.password_hash !== user.password_hash) {
      throw invalid({ current_password: 'The current password is not right.' });
    }
    const { user: changed, sessionsEnded } = await setPassword(tx, user, passwordHash);
    const { remember, confirmedAt } = memberOf(context);
    const session = await startSession(deps, tx, context, changed, { remember, confirmedAt });
    await emailUser(deps, tx, changed, emails.passwordChanged(changed.name, deps.clock()));
    const data = { sessions_ended: sessionsEnded - 1 };
    await recordUserEvent(tx, 'auth.password_changed', user, context, data);
    return { changed, session };
  });
  attempts.proved(changed.email);
  return { user: await toWireUser(deps, changed), session };
}

/**
 * Asks for another address, which is used once the link of its own email was followed. Asking for the
 * current address cancels a pending change and needs no proof, so that the owner can stop a thief at once.
 * An address of another account is answered like any other: else this would show who has an account.
 * @throws {Refusal} 422 on `current_password`; 403 `confirmation_required`; 429
 */
export async function changeEmail(
  deps: AuthDeps,
  attempts: Attempts,
  context: MemberContext,
  body: BodyOf<typeof ChangeEmail>,
): Promise<User> {
  const user = await requireUser(deps.db, context.actor.id);
  const email = normalizeEmail(body.email);
  const isCurrent = email === user.email;
  if (!isCurrent) await requireOwner(deps, attempts, context, user, body.current_password);
  const changed = await transaction(deps.db, async (tx) => {
    const locked = await lockSessionUser(tx, context.session);
    if (isCurrent || email === locked.email) {
      await recordUserEvent(tx, 'auth.email_change_dropped', locked, context);
      return updateUser(tx, user.id, { pending_email: null });
    }
    await countCorrection(deps, tx, locked);
    const after = await updateUser(tx, user.id, { pending_email: email });
    await sendVerification(deps, tx, after);
    // At once, while the change can still be cancelled: the session may be stolen.
    if (locked.email_verified_at !== null) {
      await emailUser(deps, tx, locked, emails.addressChangeAsked(locked.name, deps.clock()));
    }
    await recordUserEvent(tx, 'auth.email_change_asked', locked, context);
    return after;
  });
  return toWireUser(deps, changed);
}
