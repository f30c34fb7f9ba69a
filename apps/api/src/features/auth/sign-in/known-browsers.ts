/**
 * Browsers that an account knows, by a random token in a cookie: each that has signed in to it. While an
 * account is closed to unknown browsers (attempts.ts) a known one may still try the password.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { BROWSER_REMEMBERED_MS, readBrowserTokens } from '#platform/security/sessions.ts';
import type { RequestContext } from '../sessions/request-context.ts';
import * as store from './store.ts';

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

export async function purgeBrowsers(db: Db, now: Date): Promise<void> {
  await store.deleteBrowsersUsedBefore(db, new Date(now.getTime() - BROWSER_REMEMBERED_MS));
}

function isAmong(hashes: readonly Buffer[], hash: Buffer): boolean {
  return hashes.some((each) => each.equals(hash));
}
