/**
 * Browsers that an account knows, by a random token in their cookie: each that has signed in to it,
 * and each that has followed a link sent to its address. While an account is closed to unknown
 * browsers (attempts.ts) a known one may still give its password, and no more than that: a link
 * signs nobody in.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Origin } from '#kernel/actor.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { record } from '#features/audit/audit.ts';
import { enqueueEmail } from '#features/email/email.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { BROWSER_REMEMBERED_MS, readBrowserTokens } from '#platform/security/sessions.ts';
import type { Attempts } from './attempts.ts';
import * as browsers from './known-browsers-store.ts';
import { linkExpired, linkInvalid } from '../dead-links.ts';
import { emailsIn } from '../emails.ts';
import type { AuthDeps, Visit } from '../sessions/member-sessions.ts';
import { recipientOf } from '../people.ts';
import * as store from '../store.ts';

/** The queue of requests for a link. */
export const BROWSER_LINKS = 'browser-links';

const LINK_HOURS = 2;
/** Between two links to one person, so that the newest is always good for an hour yet. */
const PAUSE_MS = HOUR;
/** For this long the answer to an old link is that it has expired. */
const LINK_REMEMBERED_MS = DAY;
/** A script that signs in without cookies would else fill the table. */
const MOST_BROWSERS = 50;
/** 192 bits: 32 characters. */
const TOKEN_BYTES = 24;

const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Names this browser if the account with this address knows it; the same work for every address. */
export async function findKnownBrowser(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  email: string,
  { cookieHeader }: Pick<Visit, 'cookieHeader'>,
): Promise<string | null> {
  const hashes = readBrowserTokens(config.session, cookieHeader).map(hashOf);
  if (hashes.length === 0) return null;
  const known = await browsers.listKnownByEmail(db, email, hashes);
  return hashes.find((hash) => isAmong(known, hash))?.toString('base64url') ?? null;
}

/**
 * Makes the browser known to the person who has just signed in there; answers the tokens for its
 * cookie. A token that the account does not know is never taken over, or one that a stranger put
 * into the browser would let that stranger guess.
 */
export async function rememberBrowser(
  deps: Pick<Deps, 'clock' | 'config'>,
  tx: Tx,
  userId: Id,
  cookieHeader: string | undefined,
): Promise<readonly string[]> {
  const tokens = readBrowserTokens(deps.config.session, cookieHeader);
  if (tokens.length > 0) {
    const known = await browsers.updateBrowserUse(tx, userId, tokens.map(hashOf), deps.clock());
    const own = tokens.find((token) => isAmong(known, hashOf(token)));
    if (own !== undefined) return [own, ...tokens.filter((token) => token !== own)];
  }
  return addBrowser(deps, tx, userId, tokens);
}

async function addBrowser(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  userId: Id,
  others: readonly string[],
): Promise<readonly string[]> {
  const token = newToken();
  await browsers.insertBrowser(tx, { userId, tokenHash: hashOf(token), now: clock() });
  await browsers.deleteOldestBrowsers(tx, userId, MOST_BROWSERS);
  return [token, ...others];
}

/** Leaves the request for a link to a job, whether an account has the address or not. */
export async function askForLink(deps: AuthDeps, origin: Origin, email: string): Promise<void> {
  await transaction(deps.db, (tx) =>
    deps.jobs.enqueue(tx, BROWSER_LINKS, { email, ...origin }, { key: email }),
  );
}

/** The job: an email with a link to an account that has a password, and nothing for any other address. */
export async function answerAskedLink(deps: AuthDeps, data: unknown): Promise<void> {
  const { email, ip, requestId } = data as { email: string } & Origin;
  await transaction(deps.db, async (tx) => {
    const found = await store.findUserByEmail(tx, email);
    // Locked, so that of two requests at once the second one sees the first.
    const user = found && (await store.lockUser(tx, found.id));
    if (!user || user.email !== email || user.disabled_at || user.password_hash === null) return;
    const now = deps.clock();
    if (await browsers.hasLinkSince(tx, user.id, new Date(now.getTime() - PAUSE_MS))) return;
    const token = newToken();
    const expiresAt = new Date(now.getTime() + LINK_HOURS * HOUR);
    const name = user.email_verified_at === null ? null : user.name;
    const isWritten = await enqueueEmail(deps, tx, {
      kind: 'allow-browser',
      to: recipientOf(user),
      content: emailsIn(user.locale).allowBrowser(name, LINK_HOURS),
      secret: token,
      expiresAt: expiresAt,
    });
    if (!isWritten) return;
    await browsers.insertLink(tx, { userId: user.id, tokenHash: hashOf(token), now, expiresAt });
    await record(tx, {
      actor: null,
      origin: { ip, requestId },
      action: 'auth.browser_link_sent',
      subject_kind: 'user',
      subject_id: user.id,
    });
  });
}

/** Whether an email's token still lets a browser in. @throws {Refusal} 409 `link_invalid`, `link_expired` */
export async function checkLink(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  token: string,
): Promise<void> {
  requireOpen(await browsers.findLink(db, hashOf(token)), clock());
}

/**
 * Makes the browser that follows the link known to the link's account, once; answers the tokens for
 * its cookie.
 * @throws {Refusal} 409 `link_invalid`, `link_expired`
 */
export async function allowBrowser(
  deps: AuthDeps,
  attempts: Attempts,
  { origin, cookieHeader }: Visit,
  token: string,
): Promise<readonly string[]> {
  const hash = hashOf(token);
  const { user, tokens } = await transaction(deps.db, async (tx) => {
    const link = await browsers.findLink(tx, hash);
    requireOpen(link, deps.clock());
    // The person before the link, in the order in which a new password locks them.
    const owner = await store.lockUser(tx, link.user_id);
    if (!owner || owner.disabled_at) throw linkInvalid();
    if (!(await browsers.deleteLink(tx, hash))) throw linkInvalid();
    await record(tx, {
      actor: null,
      origin,
      action: 'auth.browser_allowed',
      subject_kind: 'user',
      subject_id: owner.id,
    });
    // A new token in any case: the failures of the old one may have used it up.
    const others = readBrowserTokens(deps.config.session, cookieHeader);
    return { user: owner, tokens: await addBrowser(deps, tx, owner.id, others) };
  });
  attempts.linkUsed(user.email);
  return tokens;
}

/** Forgets browsers that were not used for long and links that nobody can follow. */
export async function purgeBrowsers({ db }: Pick<AuthDeps, 'db'>, now: Date): Promise<void> {
  await browsers.deleteBrowsersUsedBefore(db, new Date(now.getTime() - BROWSER_REMEMBERED_MS));
  await browsers.deleteLinksExpiredBefore(db, new Date(now.getTime() - LINK_REMEMBERED_MS));
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
