/**
 * Verifying that an address belongs to the user: by a signed link that expires, followed while signed in to
 * the account it names. Otherwise the owner of a mailbox could verify an account that someone else opened
 * with that address. The link names user and address, so one to a replaced address is invalid. It also
 * holds the path that the user was going to; the token is sealed, so the email shows nothing that another
 * person could have entered. The account stores that path too, for emails that are sent again.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { verifyEmail as VerifyEmail } from '@cambist/contract/accounts';
import type { LinkSight } from '@cambist/contract/email-links';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { Refusal, unauthenticated } from '#kernel/refusal.ts';
import {
  countEmailOrRefuse,
  enqueueEmail,
  enqueueEmailOrRefuse,
  type Email,
} from '#features/email/email.ts';
import { transaction, violatedConstraint, type Tx } from '#platform/db/database.ts';
import { MissingAppKey, type Keys } from '#platform/security/keys.ts';
import { tooManyAttempts } from '#platform/security/throttles.ts';
import { emails } from '../emails.ts';
import { deleteResetsOf } from '../password/store.ts';
import type { MemberContext, RequestContext } from '../sessions/request-context.ts';
import { endSessionsOf, lockSessionUser, type AuthDeps } from '../sessions/sessions.ts';
import { nextPath } from '../sign-in/next-path.ts';
import * as store from '../store.ts';
import {
  emailUser,
  greetingName,
  linkExpired,
  linkInvalid,
  recipientOf,
  recordUserEvent,
} from '../users.ts';

const SEAL = 'address verification';
const LINK_HOURS = 24;
/** Between two emails to one user. */
const PAUSE_MS = MINUTE;
/** Mail programs break long addresses, and a token has at most a thousand characters. */
const LONGEST_NEXT = 300;

interface Link {
  readonly user: Id;
  readonly email: string;
  readonly expiresAt: number;
  /** A path of the frontend. */
  readonly next: string | null;
}

/** Null for a token that this service did not write. */
function readLink(keys: Keys, token: string): Link | null {
  const sealed = Buffer.from(token, 'base64url');
  // Ignored characters would be other spellings of the same link.
  if (sealed.toString('base64url') !== token) return null;
  try {
    return JSON.parse(keys.open(SEAL, sealed, '')) as Link;
  } catch (error) {
    if (error instanceof MissingAppKey) throw error;
    return null;
  }
}

/** @throws {Refusal} 409 `link_invalid`, `link_expired` */
function readOpenLink({ keys, clock }: Pick<AuthDeps, 'keys' | 'clock'>, token: string): Link {
  const link = readLink(keys, token);
  if (!link) throw linkInvalid();
  if (clock().getTime() >= link.expiresAt) throw linkExpired();
  return link;
}

/**
 * Sends the email that verifies the pending address, or else the current one. If another account has the
 * pending address, its owner gets an email instead. `next` is the path the user was going to; a path of
 * the frontend is stored, and without one the last stored path is used.
 * @throws {Refusal} 429 when the address has had too many emails
 */
export async function sendVerification(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  next?: string,
): Promise<void> {
  const email = user.pending_email;
  const owner = email === null ? undefined : await store.findUserByEmail(tx, email);
  if (email === null || !owner || owner.id === user.id) {
    return enqueueEmailOrRefuse(deps, tx, await verificationEmail(deps, tx, user, next));
  }
  // Limited as for an address without an account: else the answer would show which have one.
  const to = { ...recipientOf(user), email };
  await countEmailOrRefuse(deps, tx, { kind: 'verify-new-address', to });
  // A blocked account must not be invited to sign in.
  if (owner.disabled_at) return;
  const content = emails.addressHasAccount(greetingName(owner), deps.clock());
  await emailUser(deps, tx, owner, content);
}

/**
 * The email to a new account. The account is opened even if the limits of the address refuse the email:
 * else anyone could use them up, and nobody could sign up with the address.
 */
export async function sendFirstVerification(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  next?: string,
): Promise<void> {
  const email = await verificationEmail(deps, tx, user, next);
  if (!(await enqueueEmail(deps, tx, email))) return;
  // The time of the account itself marks it as the first email: see countCorrection.
  await store.updateUser(tx, user.id, { verification_sent_at: user.created_at });
}

async function verificationEmail(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  next: string | undefined,
): Promise<Email> {
  const email = user.pending_email ?? user.email;
  const expiresAt = new Date(deps.clock().getTime() + LINK_HOURS * HOUR);
  const link: Link = {
    user: user.id,
    email,
    expiresAt: expiresAt.getTime(),
    next: await storeNext(deps, tx, user, next),
  };
  const write = user.pending_email === null ? emails.verifyAddress : emails.verifyNewAddress;
  return {
    ...write(LINK_HOURS),
    to: { ...recipientOf(user), email },
    secret: deps.keys.seal(SEAL, JSON.stringify(link), '').toString('base64url'),
    expiresAt,
  };
}

async function storeNext(
  { config }: Pick<AuthDeps, 'config'>,
  tx: Tx,
  user: store.UserRow,
  asked: string | undefined,
): Promise<string | null> {
  if (asked === undefined) return user.verification_next;
  const path = nextPath(asked, config.frontendUrl);
  const next = path !== null && path.length <= LONGEST_NEXT ? path : null;
  await store.updateUser(tx, user.id, { verification_next: next });
  return next;
}

/** Sends the email again, unless nothing is left to verify. @throws {Refusal} 401, 429 */
export async function resendVerification(
  deps: AuthDeps,
  { session }: MemberContext,
  next?: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const user = await lockSessionUser(tx, session);
    if (user.pending_email === null && user.email_verified_at !== null) return;
    await countVerification(deps, tx, user);
    await sendVerification(deps, tx, user, next);
  });
}

/** The caller holds the lock of the user's row. @throws {Refusal} 429 when the last email is younger than a minute */
async function countVerification(deps: AuthDeps, tx: Tx, user: store.UserRow): Promise<void> {
  const now = deps.clock();
  const waitedMs = now.getTime() - (user.verification_sent_at?.getTime() ?? 0);
  if (waitedMs < PAUSE_MS) {
    throw tooManyAttempts(Math.max(1, Math.ceil((PAUSE_MS - waitedMs) / SECOND)));
  }
  await store.updateUser(tx, user.id, { verification_sent_at: now });
}

/**
 * Counts the email to another address. A user who mistyped the address at sign-up need not wait for the
 * minute: the first correction is sent at once.
 * @throws {Refusal} 429
 */
export async function countCorrection(deps: AuthDeps, tx: Tx, user: store.UserRow): Promise<void> {
  const sentAt = user.verification_sent_at?.getTime();
  const isFirst = user.email_verified_at === null && sentAt === user.created_at.getTime();
  if (!isFirst) return countVerification(deps, tx, user);
  await store.updateUser(tx, user.id, { verification_sent_at: deps.clock() });
}

/**
 * What following a link would do. It may show the address: the holder of the link has read the email.
 * @throws {Refusal} 409 `link_invalid`, `link_expired`
 */
export async function checkVerification(
  deps: AuthDeps,
  { session }: RequestContext,
  { token }: BodyOf<typeof VerifyEmail>,
): Promise<LinkSight> {
  const link = readOpenLink(deps, token);
  const user = await store.findUser(deps.db, link.user);
  const isCurrent = user?.email === link.email;
  if (!user || (!isCurrent && user.pending_email !== link.email)) throw linkInvalid();
  return {
    email: link.email,
    act: isCurrent ? 'first' : 'change',
    done: isCurrent && user.email_verified_at !== null,
    own: session.member?.actor.id === link.user,
    next: link.next,
  };
}

/**
 * Verifies an address by its link, for the signed-in account. Following it twice is no error.
 * @throws {Refusal} 401; 409 `link_invalid`, `link_expired`, `other_account`, `email_taken`
 */
export async function verifyEmail(
  deps: AuthDeps,
  context: RequestContext,
  { token }: BodyOf<typeof VerifyEmail>,
): Promise<{ email: string; next: string | null }> {
  const link = readOpenLink(deps, token);
  const { session } = context;
  if (!session.member) throw unauthenticated();
  if (session.member.actor.id !== link.user) {
    const message = 'This link belongs to another account. Sign in to that one first.';
    throw new Refusal(409, 'other_account', message);
  }
  try {
    return await transaction(deps.db, async (tx) => {
      const user = await lockSessionUser(tx, session);
      if (user.email === link.email) await confirm(deps, tx, context, user);
      else if (user.pending_email === link.email) await changeAddress(deps, tx, context, user);
      else throw linkInvalid();
      return { email: link.email, next: link.next };
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'users_email_key') throw error;
    throw new Refusal(409, 'email_taken', 'Another account uses this address by now.');
  }
}

async function confirm(deps: AuthDeps, tx: Tx, { origin }: RequestContext, user: store.UserRow) {
  if (user.email_verified_at !== null) return;
  await store.updateUser(tx, user.id, {
    email_verified_at: deps.clock(),
    verification_sent_at: null,
    verification_next: null,
  });
  // Without the address: the log is never deleted.
  await recordUserEvent(tx, 'auth.email_verified', user, { actor: store.actorOf(user), origin });
}

/** The new address replaces the old one, and all other sessions end. */
async function changeAddress(
  deps: AuthDeps,
  tx: Tx,
  { origin, session }: RequestContext,
  user: store.UserRow,
) {
  const at = deps.clock();
  await store.updateUser(tx, user.id, {
    email: user.pending_email ?? user.email,
    pending_email: null,
    email_verified_at: at,
    verification_sent_at: null,
    verification_next: null,
  });
  await deleteResetsOf(tx, user.id);
  await endSessionsOf(tx, user.id, { except: session.id });
  await emailUser(deps, tx, user, emails.addressChanged(user.name, at));
  await recordUserEvent(tx, 'auth.email_changed', user, { actor: store.actorOf(user), origin });
}
