/**
 * A new password by email. A request takes the same work and gets the same answer for every address: it only
 * enqueues a job, which looks for an account. Tokens are random, stored as hashes and work once. A new one
 * leaves the others valid: else anyone's request would invalidate the link that the owner holds.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { resetPassword as ResetPassword } from '@cambist/contract/accounts';
import type { Origin } from '#kernel/actor.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { enqueueEmailOrRefuse } from '#features/email/email.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { emails } from '../emails.ts';
import type { AuthDeps } from '../sessions/sessions.ts';
import type { Attempts } from '../sign-in/attempts.ts';
import * as users from '../store.ts';
import {
  emailUser,
  greetingName,
  linkExpired,
  linkInvalid,
  normalizeEmail,
  recipientOf,
  recordUserEvent,
} from '../users.ts';
import { takeOver } from './new-password.ts';
import { requireNewPassword } from './password-rules.ts';
import { hashPassword } from './passwords.ts';
import * as store from './store.ts';

/** The queue of requests for a new password. */
export const RESETS = 'password-resets';

const LINK_MINUTES = 60;
/** Between two emails to one user. */
const PAUSE_MS = MINUTE;
/** To one user. Links are valid for an hour too, so no more of them are ever open. */
const EMAILS_AN_HOUR = 5;
/** How long an old link is answered with `link_expired`. */
const REMEMBERED_MS = DAY;
const DONE_MS = 10 * MINUTE;
/** 192 bits. */
const TOKEN_BYTES = 24;

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Enqueues the request, whether or not the address has an account. */
export async function forgotPassword(
  deps: AuthDeps,
  origin: Origin,
  body: { readonly email: string },
): Promise<void> {
  const email = normalizeEmail(body.email);
  await transaction(deps.db, async (tx) => {
    await deps.jobs.enqueue(tx, RESETS, { email, ...origin }, { key: email });
  });
}

/** The job: emails a link if the address has an account that can sign in. */
export async function sendRequestedReset(deps: AuthDeps, data: unknown): Promise<void> {
  const { email, ip, requestId } = data as { email: string } & Origin;
  await transaction(deps.db, async (tx) => {
    const found = await users.findUserByEmail(tx, email);
    // Locked, so that of two concurrent requests the second sees the first.
    const user = found && (await users.lockUser(tx, found.id));
    if (!user || user.email !== email || user.disabled_at) return;
    const now = deps.clock().getTime();
    const { count, newest } = await store.countResets(tx, user.id, new Date(now - HOUR));
    if (count >= EMAILS_AN_HOUR) return;
    if (newest !== null && now - newest.getTime() < PAUSE_MS) return;
    const { token, expiresAt } = newToken(deps);
    const isSent = await emailUser(deps, tx, user, {
      ...emails.resetPassword(greetingName(user), LINK_MINUTES),
      secret: token,
      expiresAt,
    });
    if (!isSent) return;
    await insertReset(deps, tx, user, token, expiresAt);
    const origin = { ip, requestId };
    await recordUserEvent(tx, 'auth.password_reset_asked', user, { actor: null, origin });
  });
}

/** Emails a link that an admin forces; all earlier links end. @throws {Refusal} 429 */
export async function sendForcedReset(deps: AuthDeps, tx: Tx, user: users.UserRow): Promise<void> {
  await store.deleteResetsOf(tx, user.id);
  const { token, expiresAt } = newToken(deps);
  await enqueueEmailOrRefuse(deps, tx, {
    ...emails.forcedReset(greetingName(user), LINK_MINUTES),
    to: recipientOf(user),
    secret: token,
    expiresAt,
  });
  await insertReset(deps, tx, user, token, expiresAt);
}

function newToken({ clock }: Pick<AuthDeps, 'clock'>) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, expiresAt: new Date(clock().getTime() + LINK_MINUTES * MINUTE) };
}

async function insertReset(
  { clock }: Pick<AuthDeps, 'clock'>,
  tx: Tx,
  { id }: users.UserRow,
  token: string,
  expiresAt: Date,
): Promise<void> {
  await store.insertReset(tx, {
    user_id: id,
    token_hash: hashOf(token),
    requested_at: clock(),
    expires_at: expiresAt,
  });
}

/** Checks that a token still works. @throws {Refusal} 409 `link_invalid`, `link_expired` */
export async function checkReset(
  deps: Pick<AuthDeps, 'db' | 'clock'>,
  token: string,
): Promise<{ owner: users.UserRow; tokenHash: Buffer }> {
  const tokenHash = hashOf(token);
  const owner = await store.findResetOwner(deps.db, tokenHash);
  if (!owner || owner.disabled_at) throw linkInvalid();
  if (deps.clock() >= owner.expires_at) throw linkExpired();
  return { owner, tokenHash };
}

/**
 * Sets a new password with an emailed token. All sessions end and none starts: a second factor is still
 * required to sign in.
 * @throws {Refusal} 409 `link_invalid`, `link_expired`; 422 on `password`
 */
export async function resetPassword(
  deps: AuthDeps,
  attempts: Attempts,
  origin: Origin,
  body: BodyOf<typeof ResetPassword>,
): Promise<void> {
  const { owner, tokenHash } = await checkReset(deps, body.token);
  const { site_name: siteName } = await read(deps, 'general');
  await requireNewPassword(body, owner, siteName);
  const passwordHash = await hashPassword(body.password);
  await transaction(deps.db, (tx) => useLink(deps, tx, { tokenHash, passwordHash, origin }));
  // An attacker may have used up the tries; the owner must get in with the new password.
  attempts.codes.succeeded(owner.id);
  attempts.proved(owner.email);
}

async function useLink(
  deps: AuthDeps,
  tx: Tx,
  { tokenHash, passwordHash, origin }: { tokenHash: Buffer; passwordHash: string; origin: Origin },
): Promise<void> {
  const reset = await store.findReset(tx, tokenHash);
  // The user before the token: the order of everything that ends tokens.
  const user = reset && (await users.lockUser(tx, reset.user_id));
  if (!user || user.disabled_at) throw linkInvalid();
  if (!(await store.deleteReset(tx, tokenHash))) throw linkInvalid();
  const at = deps.clock();
  const { user: changed, ...ended } = await takeOver(tx, user, passwordHash, {
    // The owner of the address has read the email.
    email_verified_at: user.email_verified_at ?? at,
  });
  await emailUser(deps, tx, changed, emails.passwordChanged(changed.name, at, ended.purged));
  const by = { actor: users.actorOf(user), origin };
  await recordUserEvent(tx, 'auth.password_reset', user, by, {
    sessions_ended: ended.sessionsEnded,
    ...(ended.purged ? { purged: true } : {}),
  });
}

/** Deletes old requests for emails: each holds an address, perhaps of a person without an account. */
export async function purgeRequests({ db, jobs }: Pick<AuthDeps, 'db' | 'jobs'>, now: Date) {
  const before = { done: new Date(now.getTime() - DONE_MS), dead: new Date(now.getTime() - DAY) };
  return transaction(db, (tx) => jobs.forgetOld(tx, RESETS, before));
}

/** Deletes all requests for emails to this address, when its account is deleted. */
export async function deleteRequests({ jobs }: Pick<AuthDeps, 'jobs'>, tx: Tx, email: string) {
  await jobs.forget(tx, RESETS, email);
}

/** Deletes tokens that have expired long ago; returns how many. */
export function purgeResets({ db }: Pick<AuthDeps, 'db'>, now: Date): Promise<number> {
  return store.deleteResetsExpiredBefore(db, new Date(now.getTime() - REMEMBERED_MS));
}
