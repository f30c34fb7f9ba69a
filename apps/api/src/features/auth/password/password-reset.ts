/**
 * A new password by email. Asking takes the same work and gets the same answer
 * for everybody: the request only leaves a job, which finds out whether there is
 * such an account. The token is random, kept as its hash, and counts once; a new
 * one leaves the others open, or any stranger's request would end the owner's.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { resetPassword as ResetPassword } from '@cambist/contract/accounts';
import type { Origin } from '#kernel/actor.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { invalid } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { enqueueEmail, enqueueEmailOrRefuse } from '#features/email/email.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import * as accounts from '../account/account-store.ts';
import type { Attempts } from '../sign-in/attempts.ts';
import { BROWSER_LINKS } from '../sign-in/known-browsers.ts';
import { deleteBrowsersOf } from '../sign-in/known-browsers-store.ts';
import { linkExpired, linkInvalid } from '../dead-links.ts';
import { emailsIn } from '../emails.ts';
import { endSessionsOf, type AuthDeps } from '../sessions/member-sessions.ts';
import { confirmationErrors, passwordErrors, reuseErrors } from './password-rules.ts';
import { hashPassword } from './passwords.ts';
import { NO_NEW_ADDRESS, normalized, recipientOf } from '../people.ts';
import { dropPlanted, saidAnew } from '../sign-up/purge-unverified.ts';
import * as store from '../store.ts';

/** The queue of requests for a new password. */
export const RESETS = 'password-resets';

const LINK_MINUTES = 60;
/** Between two emails to one person. */
const PAUSE_MS = MINUTE;
/** To one person. Links live for an hour too, so that no more of them are ever open. */
const LETTERS_AN_HOUR = 5;
/** For this long the answer to an old link is that it has expired. */
const REMEMBERED_MS = DAY;
const DONE_MS = 10 * MINUTE;
/** 192 bits. */
const TOKEN_BYTES = 24;

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Leaves the request to a job, whoever it is for. */
export async function forgotPassword(
  deps: AuthDeps,
  origin: Origin,
  body: { readonly email: string },
): Promise<void> {
  const email = normalized(body.email);
  await transaction(deps.db, async (tx) => {
    await deps.jobs.enqueue(tx, RESETS, { email, ...origin }, { key: email });
  });
}

/** The job: an email for an account that can sign in, and nothing for anybody else. */
export async function answerForgotten(deps: AuthDeps, data: unknown): Promise<void> {
  const { email, ip, requestId } = data as { email: string } & Origin;
  await transaction(deps.db, async (tx) => {
    const found = await store.findUserByEmail(tx, email);
    // Locked, so that of two requests at once the second one sees the first.
    const user = found && (await store.lockUser(tx, found.id));
    if (!user || user.email !== email || user.disabled_at) return;
    if (!(await mayAsk(deps, tx, user))) return;
    if (!(await postReset(deps, tx, user, { forced: false }))) return;
    await record(tx, {
      actor: null,
      origin: { ip, requestId },
      action: 'auth.password_reset_asked',
      subject_kind: 'user',
      subject_id: user.id,
    });
  });
}

async function mayAsk(deps: AuthDeps, tx: Tx, { id }: store.UserRow): Promise<boolean> {
  const now = deps.clock().getTime();
  const { count, newest } = await accounts.countResets(tx, id, new Date(now - HOUR));
  return count < LETTERS_AN_HOUR && (newest === null || now - newest.getTime() >= PAUSE_MS);
}

/**
 * Posts an email with a new token, or answers false. One that the desk forces ends all others.
 * @throws {Refusal} 429 where a forced one is not written
 */
export async function postReset(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  { forced }: { readonly forced: boolean },
): Promise<boolean> {
  const now = deps.clock();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * MINUTE);
  if (forced) await accounts.deleteResetsOf(tx, user.id);
  const letters = emailsIn(user.locale);
  const name = user.email_verified_at === null ? null : user.name;
  const letter = { to: recipientOf(user), secret: token, expiresAt: expiresAt };
  // Anybody can ask for the one, the desk alone forces the other: counted apart.
  if (forced) {
    const content = letters.forcedReset(name, LINK_MINUTES);
    await enqueueEmailOrRefuse(deps, tx, { ...letter, kind: 'password-reset-forced', content });
  } else {
    const content = letters.resetPassword(name, LINK_MINUTES);
    if (!(await enqueueEmail(deps, tx, { ...letter, kind: 'reset-password', content })))
      return false;
  }
  // A token that nobody was sent counts as no email either.
  await accounts.insertReset(tx, { userId: user.id, tokenHash: hashOf(token), now, expiresAt });
  return true;
}

/** Whether an email's token still works. @throws {Refusal} 409 `link_invalid`, `link_expired` */
export async function checkReset(
  deps: Pick<AuthDeps, 'db' | 'clock'>,
  token: string,
): Promise<{ owner: store.UserRow; tokenHash: Buffer }> {
  const tokenHash = hashOf(token);
  const owner = await accounts.findResetOwner(deps.db, tokenHash);
  if (!owner || owner.disabled_at) throw linkInvalid();
  if (deps.clock() >= owner.expires_at) throw linkExpired();
  return { owner, tokenHash };
}

/**
 * Chooses a new password with an email's token. All sessions end and none
 * begins: a second factor still stands in between.
 * @throws {Refusal} 409 `link_invalid`, `link_expired`; 422 on `password`
 */
export async function resetPassword(
  deps: AuthDeps,
  attempts: Attempts,
  origin: Origin,
  { token, password, password_confirmation }: BodyOf<typeof ResetPassword>,
): Promise<void> {
  const { owner, tokenHash } = await checkReset(deps, token);
  const { site_name: siteName } = await read(deps, 'general');
  const wrong = {
    ...(await reuseErrors(password, owner)),
    ...(await passwordErrors(password, { ...owner, siteName })),
    ...confirmationErrors(password, password_confirmation),
  };
  if (wrong.password !== undefined) throw invalid({ password: wrong.password });
  const passwordHash = await hashPassword(password);
  await transaction(deps.db, (tx) => replace(deps, tx, { tokenHash, passwordHash, origin }));
  // Who used the tries up had the old password, or none; its owner must get in with the new one.
  attempts.codes.succeeded(owner.id);
  attempts.proved(owner.email);
}

async function replace(
  deps: AuthDeps,
  tx: Tx,
  { tokenHash, passwordHash, origin }: { tokenHash: Buffer; passwordHash: string; origin: Origin },
): Promise<void> {
  const open = await accounts.findReset(tx, tokenHash);
  // The person before the token, as everybody does who ends their tokens.
  const user = open && (await store.lockUser(tx, open.user_id));
  if (!user || user.disabled_at) throw linkInvalid();
  if (!(await accounts.deleteReset(tx, tokenHash))) throw linkInvalid();
  await accounts.deleteResetsOf(tx, user.id);
  await deleteBrowsersOf(tx, user.id);
  const at = deps.clock();
  const unproved = user.email_verified_at === null;
  const dropped = unproved ? await dropPlanted(tx, user) : null;
  const changed = await accounts.updateUser(tx, user.id, {
    password_hash: passwordHash,
    taken_password_hash: null,
    ...NO_NEW_ADDRESS,
    ...(unproved ? saidAnew(user.email) : {}),
    // The email was read by whoever has the address.
    email_verified_at: user.email_verified_at ?? at,
  });
  const ended = await endSessionsOf(tx, user.id);
  await enqueueEmail(deps, tx, {
    kind: 'password-changed',
    to: recipientOf(changed),
    content: emailsIn(changed.locale).passwordChanged(changed.name, at, dropped),
  });
  await record(tx, {
    actor: store.actorOf(user),
    origin,
    action: 'auth.password_reset',
    subject_kind: 'user',
    subject_id: user.id,
    data: { sessions_ended: ended, ...(dropped ? { changed: ['name', ...dropped] } : {}) },
  });
}

/** What asks for an email holds an address, perhaps of somebody who never was here. */
export async function purgeAsked({ db, jobs }: Pick<AuthDeps, 'db' | 'jobs'>, now: Date) {
  const before = { done: new Date(now.getTime() - DONE_MS), dead: new Date(now.getTime() - DAY) };
  return transaction(db, async (tx) => {
    const resets = await jobs.forgetOld(tx, RESETS, before);
    return resets + (await jobs.forgetOld(tx, BROWSER_LINKS, before));
  });
}

/** All that asked for an email to this address, for whoever deletes its account. */
export async function forgetAsked({ jobs }: Pick<AuthDeps, 'jobs'>, tx: Tx, email: string) {
  for (const queue of [RESETS, BROWSER_LINKS]) await jobs.forget(tx, queue, email);
}

/** Forgets requests whose links have long expired; answers how many. */
export function purgeResets({ db }: Pick<AuthDeps, 'db'>, now: Date): Promise<number> {
  return accounts.deleteResetsExpiredBefore(db, new Date(now.getTime() - REMEMBERED_MS));
}
