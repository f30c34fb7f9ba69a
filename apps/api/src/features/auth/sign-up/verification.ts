/**
 * Proving that an address is one's own: a signed link that expires, followed by
 * whoever is signed in to the account it names. Somebody whose address a
 * stranger has typed can so not prove it for them. It names person and address,
 * so a link to an address that was replaced is worth nothing. It also keeps
 * where the person was going; the whole is sealed, so nobody can read in the
 * email what whoever typed the address has chosen. That path stays with the
 * account too until then, for emails that are sent again.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { verifyEmail as VerifyEmail } from '@cambist/contract/accounts';
import type { LinkSight } from '@cambist/contract/email-links';
import type { Origin } from '#kernel/actor.ts';
import { HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import {
  countEmailOrRefuse,
  enqueueEmail,
  enqueueEmailOrRefuse,
  type Email,
} from '#features/email/email.ts';
import { transaction, violatedConstraint, type Tx } from '#platform/db/database.ts';
import { MissingAppKey, type Keys } from '#platform/security/keys.ts';
import * as accounts from '../account/account-store.ts';
import { linkExpired, linkInvalid } from '../dead-links.ts';
import { emailsIn } from '../emails.ts';
import {
  endSessionsOf,
  lockOwner,
  sessionOfMember,
  type AuthDeps,
  type Visit,
} from '../sessions/member-sessions.ts';
import { nextPath } from '../sign-in/next-path.ts';
import { recipientOf } from '../people.ts';
import * as store from '../store.ts';
import { countFirstEmail, countVerificationEmail } from './verification-pause.ts';

const SEAL = 'address verification';
const LINK_HOURS = 24;
/** More is not kept: mail programs break long addresses, and a token may have a thousand characters. */
const LONGEST_NEXT = 300;

interface Link {
  readonly user: Id;
  readonly email: string;
  readonly expiresAt: number;
  /** A path of the frontend. */
  readonly next: string | null;
}

function writeLink(keys: Keys, link: Link): string {
  return keys.seal(SEAL, JSON.stringify(link), '').toString('base64url');
}

/** Null for what this service did not write. */
function readLink(keys: Keys, token: string): Link | null {
  const sealed = Buffer.from(token, 'base64url');
  // Signs that say nothing would be other spellings of the same link.
  if (sealed.toString('base64url') !== token) return null;
  const text = opened(keys, sealed);
  return text === null ? null : (JSON.parse(text) as Link);
}

function opened(keys: Keys, sealed: Buffer): string | null {
  try {
    return keys.open(SEAL, sealed, '');
  } catch (error) {
    if (error instanceof MissingAppKey) throw error;
    return null;
  }
}

/**
 * Posts the email that proves the pending address, or else the present one. `next` is where the
 * person was going, safe or not; only a path of the frontend is kept, and without one the last
 * that was. A pending address that another account has is not to be proved: its owner is told.
 * @throws {Refusal} 429 when this address has had its emails
 */
export async function postVerification(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  next?: string,
): Promise<void> {
  const email = user.pending_email ?? user.email;
  const isNew = user.pending_email !== null;
  const owner = isNew ? await store.findUserByEmail(tx, email) : undefined;
  if (owner && owner.id !== user.id) {
    // Refused as for an address without an account, or the answer would tell who has one.
    const to = { ...recipientOf(user), email };
    await countEmailOrRefuse(deps, tx, { kind: 'verify-new-address', to });
    return tellOwner(deps, tx, owner);
  }
  await enqueueEmailOrRefuse(deps, tx, await letterOf(deps, tx, user, next));
}

/**
 * The email to a new account, which is opened also where the address has had its emails: or any
 * stranger could use them up, and nobody could sign up with it. Who then asks for the email hears why.
 */
export async function postFirstVerification(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  next?: string,
): Promise<void> {
  const letter = await letterOf(deps, tx, user, next);
  if (await enqueueEmail(deps, tx, letter)) await countFirstEmail(tx, user);
}

async function letterOf(
  deps: AuthDeps,
  tx: Tx,
  user: store.UserRow,
  next: string | undefined,
): Promise<Email> {
  const email = user.pending_email ?? user.email;
  const isNew = user.pending_email !== null;
  const expiresAt = new Date(deps.clock().getTime() + LINK_HOURS * HOUR);
  const letters = emailsIn(user.locale);
  return {
    kind: isNew ? 'verify-new-address' : 'verify-address',
    to: { ...recipientOf(user), email },
    content: isNew ? letters.verifyNewAddress(LINK_HOURS) : letters.verifyAddress(LINK_HOURS),
    secret: writeLink(deps.keys, {
      user: user.id,
      email,
      expiresAt: expiresAt.getTime(),
      next: await keptNext(deps, tx, user, next),
    }),
    expiresAt: expiresAt,
  };
}

/** Nobody else may use this address; an email also to one whose account is blocked would invite them. */
async function tellOwner(deps: AuthDeps, tx: Tx, owner: store.UserRow): Promise<void> {
  if (owner.disabled_at) return;
  const name = owner.email_verified_at === null ? null : owner.name;
  await enqueueEmail(deps, tx, {
    kind: 'address-has-account',
    to: recipientOf(owner),
    content: emailsIn(owner.locale).addressHasAccount(name, deps.clock()),
  });
}

async function keptNext(
  { config }: Pick<AuthDeps, 'config'>,
  tx: Tx,
  user: store.UserRow,
  asked: string | undefined,
): Promise<string | null> {
  if (asked === undefined) return user.verification_next;
  const path = nextPath(asked, config.frontendUrl);
  const next = path !== null && path.length <= LONGEST_NEXT ? path : null;
  await accounts.updateUser(tx, user.id, { verification_next: next });
  return next;
}

/** Once more; without an email when nothing is left to prove. @throws {Refusal} 401, 429 */
export async function resendVerification(
  deps: AuthDeps,
  visit: Visit,
  next?: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const user = await lockOwner(tx, sessionOfMember(visit));
    if (user.pending_email === null && user.email_verified_at !== null) return;
    await countVerificationEmail(deps, tx, user);
    await postVerification(deps, tx, user, next);
  });
}

/** @throws {Refusal} 409 `link_invalid`, `link_expired` */
function readOpenLink({ keys, clock }: Pick<AuthDeps, 'keys' | 'clock'>, token: string): Link {
  const link = readLink(keys, token);
  if (!link) throw linkInvalid();
  if (clock().getTime() >= link.expiresAt) throw linkExpired();
  return link;
}

/**
 * What following a link would do. Whoever holds it has read the email, so its address is no news
 * to them.
 * @throws {Refusal} 409 `link_invalid`, `link_expired`
 */
export async function checkVerification(
  deps: AuthDeps,
  { session }: Visit,
  { token }: BodyOf<typeof VerifyEmail>,
): Promise<LinkSight> {
  const link = readOpenLink(deps, token);
  const user = await store.findUser(deps.db, link.user);
  const isPresent = user?.email === link.email;
  if (!user || (!isPresent && user.pending_email !== link.email)) throw linkInvalid();
  return {
    email: link.email,
    act: isPresent ? 'first' : 'change',
    done: isPresent && user.email_verified_at !== null,
    own: session?.member?.actor.id === link.user,
    next: link.next,
  };
}

/**
 * Confirms an address by its link, for the account that is signed in. Following it twice is no
 * error.
 * @throws {Refusal} 401; 409 `link_invalid`, `link_expired`, `other_account`, `email_taken`
 */
export async function verifyEmail(
  deps: AuthDeps,
  visit: Visit,
  { token }: BodyOf<typeof VerifyEmail>,
): Promise<{ email: string; next: string | null }> {
  const link = readOpenLink(deps, token);
  const { session } = visit;
  if (!session?.member) throw new Refusal(401, 'unauthenticated', 'Unauthenticated.');
  if (session.member.actor.id !== link.user) throw otherAccount();
  try {
    return await transaction(deps.db, async (tx) => {
      const user = await lockOwner(tx, session);
      if (user.email === link.email) await confirm(deps, tx, user, visit.origin);
      else if (user.pending_email === link.email) await move(deps, tx, user, visit);
      else throw linkInvalid();
      return { email: link.email, next: link.next };
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'users_email_key') throw error;
    throw new Refusal(409, 'email_taken', 'Another account uses this address by now.');
  }
}

async function confirm(deps: AuthDeps, tx: Tx, user: store.UserRow, origin: Origin) {
  if (user.email_verified_at !== null) return;
  await accounts.updateUser(tx, user.id, {
    email_verified_at: deps.clock(),
    verification_sent_at: null,
    verification_next: null,
  });
  await note(tx, user, origin, 'auth.email_verified');
}

/** The new address takes the old one's place; whoever had come in by the old one is out. */
async function move(deps: AuthDeps, tx: Tx, user: store.UserRow, { origin, session }: Visit) {
  const at = deps.clock();
  await accounts.updateUser(tx, user.id, {
    email: user.pending_email ?? user.email,
    pending_email: null,
    email_verified_at: at,
    verification_sent_at: null,
    verification_next: null,
  });
  await accounts.deleteResetsOf(tx, user.id);
  await endSessionsOf(tx, user.id, session === null ? {} : { except: session.id });
  await enqueueEmail(deps, tx, {
    kind: 'address-changed',
    to: recipientOf(user),
    content: emailsIn(user.locale).addressChanged(user.name, at),
  });
  await note(tx, user, origin, 'auth.email_changed');
}

/** Addresses are left out: the log is kept for good. */
async function note(tx: Tx, user: store.UserRow, origin: Origin, action: string): Promise<void> {
  await record(tx, {
    actor: store.actorOf(user),
    origin,
    action,
    subject_kind: 'user',
    subject_id: user.id,
  });
}

function otherAccount(): Refusal {
  return new Refusal(
    409,
    'other_account',
    'This link belongs to another account. Sign in to that one first.',
  );
}
