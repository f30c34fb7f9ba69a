/**
 * Browsers that an account knows, by a random token in a cookie: each that has signed in to it, and each
 * that has followed a link emailed to its address. While an account is closed to unknown browsers
 * (attempts.ts) a known one may still try the password, and no more than that: a link signs nobody in.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Origin } from '#kernel/actor.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { BROWSER_REMEMBERED_MS, readBrowserTokens } from '#platform/security/sessions.ts';
import { emails } from '../emails.ts';
import type { RequestContext } from '../sessions/request-context.ts';
import type { AuthDeps } from '../sessions/sessions.ts';
import { findUserByEmail, lockUser } from '../store.ts';
import { emailUser, greetingName, linkExpired, linkInvalid, recordUserEvent } from '../users.ts';
import type { Attempts } from './attempts.ts';
import * as store from './store.ts';

/** The queue of requests for a link. */
export const BROWSER_LINKS = 'browser-links';

const LINK_HOURS = 2;
/** Between two links to one user, so that the newest is always valid for another hour. */
const PAUSE_MS = HOUR;
/** How long an old link is answered with `link_expired`. */
const LINK_REMEMBERED_MS = DAY;
/** Bounds the table against a script that signs in without cookies. */
const MOST_BROWSERS = 50;
/** 192 bits: 32 characters. */
const TOKEN_BYTES = 24;

const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Identifies this browser if the account with this address knows it; takes the same work for every address. */
export async function findKnownBrowser(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  email: string,
  { cookieHeader }: RequestContext,
): Promise<string | null> {
  const hashes = readBrowserTokens(config.session, cookieHeader).map(hashOf);
  if (hashes.length === 0) return null;
  const known = await store.listKnownByEmail(db, email, hashes);
  return hashes.find((hash) => isAmong(known, hash))?.toString('base64url') ?? null;
}

/**
 * Makes the browser known to the user who has just signed in there; returns the tokens for its cookie. A
 * token that the account does not know is never adopted: an attacker could have put it into the browser.
 */
export async function rememberBrowser(
  deps: Pick<Deps, 'clock' | 'config'>,
  tx: Tx,
  userId: Id,
  cookieHeader: string | undefined,
): Promise<{ readonly isNew: boolean; readonly tokens: readonly string[] }> {
  const tokens = readBrowserTokens(deps.config.session, cookieHeader);
  if (tokens.length > 0) {
    const known = await store.updateBrowserUse(tx, userId, tokens.map(hashOf), deps.clock());
    const own = tokens.find((token) => isAmong(known, hashOf(token)));
    if (own !== undefined) {
      return { isNew: false, tokens: [own, ...tokens.filter((token) => token !== own)] };
    }
  }
  return { isNew: true, tokens: await addBrowser(deps, tx, userId, tokens) };
}

async function addBrowser(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  userId: Id,
  others: readonly string[],
): Promise<readonly string[]> {
  const token = newToken();
  const browser = { token_hash: hashOf(token), user_id: userId, last_used_at: clock() };
  await store.insertBrowser(tx, browser);
  await store.deleteOldestBrowsers(tx, userId, MOST_BROWSERS);
  return [token, ...others];
}

/** Enqueues the request for a link, whether or not the address has an account. */
export async function requestLink(deps: AuthDeps, origin: Origin, email: string): Promise<void> {
  await transaction(deps.db, (tx) =>
    deps.jobs.enqueue(tx, BROWSER_LINKS, { email, ...origin }, { key: email }),
  );
}

/** The job: emails a link if the address has an account with a password. */
export async function sendLink(deps: AuthDeps, data: unknown): Promise<void> {
  const { email, ip, requestId } = data as { email: string } & Origin;
  await transaction(deps.db, async (tx) => {
    const found = await findUserByEmail(tx, email);
    // Locked, so that of two concurrent requests the second sees the first.
    const user = found && (await lockUser(tx, found.id));
    if (!user || user.email !== email || user.disabled_at || user.password_hash === null) return;
    const now = deps.clock();
    if (await store.hasLinkSince(tx, user.id, new Date(now.getTime() - PAUSE_MS))) return;
    const token = newToken();
    const expiresAt = new Date(now.getTime() + LINK_HOURS * HOUR);
    const isSent = await emailUser(deps, tx, user, {
      ...emails.allowBrowser(greetingName(user), LINK_HOURS),
      secret: token,
      expiresAt,
    });
    if (!isSent) return;
    await store.insertLink(tx, {
      token_hash: hashOf(token),
      user_id: user.id,
      requested_at: now,
      expires_at: expiresAt,
    });
    const origin = { ip, requestId };
    await recordUserEvent(tx, 'auth.browser_link_sent', user, { actor: null, origin });
  });
}

/** Checks that a link still works. @throws {Refusal} 409 `link_invalid`, `link_expired` */
export async function checkLink(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  token: string,
): Promise<void> {
  requireOpen(await store.findLink(db, hashOf(token)), clock());
}

/**
 * Makes the browser that follows the link known to the link's account; returns the tokens for its cookie.
 * A link works once.
 * @throws {Refusal} 409 `link_invalid`, `link_expired`
 */
export async function allowBrowser(
  deps: AuthDeps,
  attempts: Attempts,
  { origin, cookieHeader }: RequestContext,
  token: string,
): Promise<readonly string[]> {
  const hash = hashOf(token);
  const { user, tokens } = await transaction(deps.db, async (tx) => {
    const link = await store.findLink(tx, hash);
    requireOpen(link, deps.clock());
    // The user before the link: the order in which a new password locks them.
    const owner = await lockUser(tx, link.user_id);
    if (!owner || owner.disabled_at) throw linkInvalid();
    if (!(await store.deleteLink(tx, hash))) throw linkInvalid();
    await recordUserEvent(tx, 'auth.browser_allowed', owner, { actor: null, origin });
    // Always a new token: failures may have used up the old one.
    const others = readBrowserTokens(deps.config.session, cookieHeader);
    return { user: owner, tokens: await addBrowser(deps, tx, owner.id, others) };
  });
  attempts.linkUsed(user.email);
  return tokens;
}

export async function purgeBrowsers(db: Db, now: Date): Promise<void> {
  await store.deleteBrowsersUsedBefore(db, new Date(now.getTime() - BROWSER_REMEMBERED_MS));
  await store.deleteLinksExpiredBefore(db, new Date(now.getTime() - LINK_REMEMBERED_MS));
}

function requireOpen<L extends { readonly expires_at: Date }>(
  link: L | undefined,
  now: Date,
): asserts link is L {
  if (!link) throw linkInvalid();
  if (now >= link.expires_at) throw linkExpired();
}

function isAmong(hashes: readonly Buffer[], hash: Buffer): boolean {
  return hashes.some((each) => each.equals(hash));
}
