/**
 * Sessions and their cookies. An id contains its kind, its time of issue, random bits and a MAC. A guest's
 * session is only that id, so visitors need no row; a member's is a row under the SHA-256 of the id.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Actor } from '#kernel/actor.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '../../config.ts';
import { readCookies, writeCookie } from '#platform/http/cookies.ts';
import type { UsersTable } from '#platform/db/tables.generated.ts';
import { sameText, type Keys } from './keys.ts';

type SessionConfig = Config['session'];

/** What a user's own account page shows of them. */
export type Profile = Pick<
  Selectable<UsersTable>,
  | 'id'
  | 'name'
  | 'email'
  | 'email_verified_at'
  | 'pending_email'
  | 'role'
  | 'permissions'
  | 'locale'
  | 'desk_notices'
  | 'desk_digest'
  | 'two_factor_at'
  | 'created_at'
> & { readonly has_password: boolean };

/** A member's row with its user. */
export interface MemberSession {
  readonly actor: Actor;
  /** Read with the session, so that `GET /api/user` takes one statement. */
  readonly profile: Profile;
  readonly hasTwoFactor: boolean;
  readonly remember: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** The last sign-in or confirmation. */
  readonly confirmedAt: Date;
}

export interface Session {
  /** The value of the cookie. */
  readonly id: string;
  /** Null in a guest's session. */
  readonly member: MemberSession | null;
  /** For `browserCookie`, when the session has just started. */
  readonly browserTokens?: readonly string[];
}

/** The store of member sessions, which the auth feature implements. */
export interface SessionBook {
  find(idHash: Buffer): Promise<MemberSession | null>;
  /** Records a use of the session. */
  touch(idHash: Buffer, now: Date): Promise<void>;
  /** Records that the user was seen. */
  seen(actor: Actor, now: Date): Promise<void>;
  /** Whether one of these sessions was ended within `ms`; expired ones do not count. */
  haveEnded(idHashes: readonly Buffer[], ms: number): Promise<boolean>;
}

type Kind = 'g' | 'm';

const PURPOSE = 'session id';
const RANDOM_BYTES = 24;
/** `kind`, time of issue in seconds (base 36), random bits, MAC. */
const SHAPE = /^([gm])([0-9a-z]{1,9})\.([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{43})$/;
/** Covers any page that stays open. */
const GUEST_LIFETIME_MS = 7 * DAY;
/** Uses of a session are recorded at most this often. */
const RECORD_EVERY_MS = MINUTE;
/** Longer than any read takes. */
const JUST_ENDED_MS = 2 * MINUTE;
/** Further cookies of the same name are ignored. */
const MAX_CANDIDATES = 4;

export const XSRF_COOKIE = 'XSRF-TOKEN';

const BROWSER_COOKIE = 'cambist_browser';
/** 192 random bits. */
const BROWSER_TOKEN = /^[A-Za-z0-9_-]{32}$/;
/** A browser can be known to this many accounts. */
const MAX_BROWSER_TOKENS = 4;
/** Since its last sign-in. */
export const BROWSER_REMEMBERED_MS = 180 * DAY;

/** `kind` is `m` for a member, `g` for a guest. */
export function newSessionId(keys: Keys, kind: Kind, now: Date): string {
  const issued = Math.floor(now.getTime() / SECOND).toString(36);
  const text = `${kind}${issued}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return `${text}.${keys.sign(PURPOSE, text)}`;
}

/** Null for an id that this service did not issue. */
function readSessionId(keys: Keys, id: string): { kind: Kind; issuedAt: Date } | null {
  const [, kind, issued, random, mac] = SHAPE.exec(id) ?? [];
  if (!kind || !issued || !random || !mac) return null;
  if (!sameText(keys.signAgain(PURPOSE, `${kind}${issued}.${random}`), mac)) return null;
  return { kind: kind as Kind, issuedAt: new Date(Number.parseInt(issued, 36) * SECOND) };
}

/** Only the hash of an id is stored. */
export function hashSessionId(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}

export function newGuest(keys: Keys, now: Date): Session {
  return { id: newSessionId(keys, 'g', now), member: null };
}

/** The session of the cookies, or a new guest session if there is none, or it is invalid, expired or ended. */
export async function openSession(
  deps: { keys: Keys; config: Config; book: SessionBook },
  cookieHeader: string | undefined,
  now: Date,
): Promise<Session> {
  const { keys, config, book } = deps;
  const cookies = readCookies(cookieHeader).get(sessionCookieName(config.session)) ?? [];
  let guest: Session | null = null;
  for (const id of cookies.slice(0, MAX_CANDIDATES)) {
    const known = readSessionId(keys, id);
    if (known === null) continue;
    if (known.kind === 'm') {
      const member = await book.find(hashSessionId(id));
      if (member && isAlive(config.session, member, now)) return { id, member };
    } else if (now.getTime() - known.issuedAt.getTime() < GUEST_LIFETIME_MS) {
      guest ??= { id, member: null };
    }
  }
  return guest ?? newGuest(keys, now);
}

type Lifetime = Pick<MemberSession, 'remember' | 'createdAt' | 'lastUsedAt'> & {
  readonly actor: Pick<Actor, 'role'>;
};

function absoluteMs(config: SessionConfig, { actor }: Pick<Lifetime, 'actor'>): number {
  return (actor.role === 'admin' ? config.adminAbsoluteHours : config.absoluteHours) * HOUR;
}

export function isAlive(config: SessionConfig, member: Lifetime, now: Date): boolean {
  const { actor, remember, createdAt, lastUsedAt } = member;
  const longestMs = absoluteMs(config, member);
  // "Remember me" lifts the idle limit, but never for admins, who move money.
  const idleMs =
    actor.role === 'admin'
      ? config.adminIdleMinutes * MINUTE
      : remember
        ? longestMs
        : config.idleMinutes * MINUTE;
  const endsAt = Math.min(createdAt.getTime() + longestMs, lastUsedAt.getTime() + idleMs);
  return now.getTime() < endsAt;
}

/**
 * The CSRF token, bound to the session. It begins with a letter because some clients parse values that look
 * like numbers or JSON.
 */
export function xsrfToken(keys: Keys, session: Session): string {
  return `x${keys.signAgain('xsrf token', session.id)}`;
}

/** The prefixes make browsers enforce the attributes; they need https. */
function cookieName({ secure, domain }: SessionConfig, name: string): string {
  const prefix = !secure ? '' : domain === null ? '__Host-' : '__Secure-';
  return `${prefix}${name}`;
}

export function sessionCookieName(config: SessionConfig): string {
  return cookieName(config, 'cambist_session');
}

/** The tokens by which accounts know this browser, the newest first: one for each account that signed in here. */
export function readBrowserTokens(
  config: SessionConfig,
  cookieHeader: string | undefined,
): readonly string[] {
  const values = readCookies(cookieHeader).get(cookieName(config, BROWSER_COOKIE)) ?? [];
  const tokens = values.flatMap((value) => value.split('.'));
  return tokens.filter((token) => BROWSER_TOKEN.test(token)).slice(0, MAX_BROWSER_TOKENS);
}

export function browserCookie(config: SessionConfig, tokens: readonly string[]): string {
  const { domain, secure, sameSite } = config;
  const value = tokens.slice(0, MAX_BROWSER_TOKENS).join('.');
  return writeCookie(cookieName(config, BROWSER_COOKIE), value, {
    domain,
    secure,
    sameSite,
    httpOnly: true,
    maxAgeSeconds: BROWSER_REMEMBERED_MS / SECOND,
  });
}

/** Whether the browser has sent both cookies of this session. */
export function isHeld(
  { keys, config }: { keys: Keys; config: Config },
  cookieHeader: string | undefined,
  session: Session,
): boolean {
  const cookies = readCookies(cookieHeader);
  const has = (name: string, value: string) => cookies.get(name)?.includes(value) ?? false;
  return (
    has(sessionCookieName(config.session), session.id) && has(XSRF_COOKIE, xsrfToken(keys, session))
  );
}

/**
 * Whether the cookies are those of a member's session that has just ended. Its successor, such as after a
 * change of password, may be on its way to the browser and must not be replaced by a guest session.
 */
export async function hasJustEnded(
  { keys, config, book }: { keys: Keys; config: Config; book: SessionBook },
  cookieHeader: string | undefined,
): Promise<boolean> {
  const sent = readCookies(cookieHeader).get(sessionCookieName(config.session)) ?? [];
  const members = sent
    .slice(0, MAX_CANDIDATES)
    .filter((id) => readSessionId(keys, id)?.kind === 'm')
    .map(hashSessionId);
  if (members.length === 0) return false;
  return book.haveEnded(members, JUST_ENDED_MS);
}

/** Whether to record the session's use again. */
export function isDue({ lastUsedAt }: MemberSession, now: Date): boolean {
  return now.getTime() - lastUsedAt.getTime() >= RECORD_EVERY_MS;
}

/**
 * The session's two cookies, and the browser's if it has new tokens. They last as long as the session can, so
 * that they are set once: set again by a late answer, an ended session would replace that of another tab.
 */
export function sessionCookies(
  { keys, config }: { keys: Keys; config: Config },
  session: Session,
  now: Date,
): string[] {
  const { domain, secure, sameSite } = config.session;
  const { member } = session;
  const lifetimeMs = member
    ? member.createdAt.getTime() + absoluteMs(config.session, member) - now.getTime()
    : GUEST_LIFETIME_MS;
  const common = { domain, secure, sameSite, maxAgeSeconds: Math.floor(lifetimeMs / SECOND) };
  return [
    writeCookie(XSRF_COOKIE, xsrfToken(keys, session), { ...common, httpOnly: false }),
    writeCookie(sessionCookieName(config.session), session.id, { ...common, httpOnly: true }),
    ...(session.browserTokens ? [browserCookie(config.session, session.browserTokens)] : []),
  ];
}
