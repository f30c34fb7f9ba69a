/**
 * Sessions and their two cookies. A session's id carries its kind, its time of
 * issue, random bits and a MAC. A guest's session is nothing but that id, so
 * visitors cost no row; a member's is a row found by the SHA-256 of the id.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Actor } from '#kernel/actor.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '../../config.ts';
import { readCookies, writeCookie } from '#platform/http/cookies.ts';
import type { Keys } from './keys.ts';

type SessionConfig = Config['session'];

/** A member's row together with the person it belongs to. */
export interface MemberSession {
  readonly actor: Actor;
  readonly hasTwoFactor: boolean;
  readonly remember: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** When the person last proved who they are: at sign-in, or afterwards. */
  readonly confirmedAt: Date;
}

export interface Session {
  /** What the cookie holds. */
  readonly id: string;
  /** Null in a guest's session. */
  readonly member: MemberSession | null;
  /** What `browserCookie` is to hold, where the session has just begun. */
  readonly browserTokens?: readonly string[];
}

/** Where member sessions are kept: the auth feature's table. */
export interface SessionBook {
  find(idHash: Buffer): Promise<MemberSession | null>;
  /** Notes that the session was used now. */
  touch(idHash: Buffer, now: Date): Promise<void>;
  /** Notes that the person was seen now. */
  seen(actor: Actor, now: Date): Promise<void>;
  /** Whether one of these sessions ended within so many milliseconds; none that was only left idle. */
  haveEnded(idHashes: readonly Buffer[], ms: number): Promise<boolean>;
}

type Kind = 'g' | 'm';

const PURPOSE = 'session id';
const RANDOM_BYTES = 24;
/** `kind`, time of issue in seconds (base 36), random bits, MAC. */
const SHAPE = /^([gm])([0-9a-z]{1,9})\.([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{43})$/;
/** A guest's id is worth only a CSRF token; a week covers any page that is left open. */
const GUEST_LIFETIME_MS = 7 * DAY;
/** Uses of a session are noted this often, not at every request. */
const NOTE_EVERY_MS = MINUTE;
/** Longer than any read is on its way. */
const JUST_ENDED_MS = 2 * MINUTE;
/** More cookies of the same name than a browser has reason to send are not looked at. */
const MAX_CANDIDATES = 4;

export const XSRF_COOKIE = 'XSRF-TOKEN';

const BROWSER_COOKIE = 'cambist_browser';
/** 192 random bits. */
const BROWSER_TOKEN = /^[A-Za-z0-9_-]{32}$/;
/** For so many accounts one browser is known at a time. */
const MAX_BROWSER_TOKENS = 4;
/** Since its last sign-in; browsers hold no cookie longer than 400 days. */
export const BROWSER_REMEMBERED_MS = 180 * DAY;

/** A new id; `kind` is `m` for somebody who has just proved who they are. */
export function newSessionId(keys: Keys, kind: Kind, now: Date): string {
  const issued = Math.floor(now.getTime() / SECOND).toString(36);
  const text = `${kind}${issued}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return `${text}.${keys.sign(PURPOSE, text)}`;
}

/** The kind and time of issue of an id that this service made; null for anything else. */
function readSessionId(keys: Keys, id: string): { kind: Kind; issuedAt: Date } | null {
  const [, kind, issued, random, mac] = SHAPE.exec(id) ?? [];
  if (!kind || !issued || !random || !mac) return null;
  if (!keys.verify(PURPOSE, `${kind}${issued}.${random}`, mac)) return null;
  return { kind: kind as Kind, issuedAt: new Date(Number.parseInt(issued, 36) * SECOND) };
}

/** What is stored of an id. */
export function hashSessionId(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

export function newGuest(keys: Keys, now: Date): Session {
  return { id: newSessionId(keys, 'g', now), member: null };
}

/**
 * The session that a request's cookies lead to, or a new guest's: for no
 * cookie, for one that is not ours, has expired or was ended.
 */
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

/** What decides how long a session lives. */
type Lifetime = Pick<MemberSession, 'remember' | 'createdAt' | 'lastUsedAt'> & {
  readonly actor: Pick<Actor, 'role'>;
};

/** How long this person's sessions live, however much they are used. */
function absoluteMs(config: SessionConfig, { actor }: Pick<Lifetime, 'actor'>): number {
  return (actor.role === 'admin' ? config.adminAbsoluteHours : config.absoluteHours) * HOUR;
}

/** Whether the session still opens anything. */
export function isAlive(config: SessionConfig, member: Lifetime, now: Date): boolean {
  const { actor, remember, createdAt, lastUsedAt } = member;
  const longestMs = absoluteMs(config, member);
  // "Remember me" lifts the idle limit, but never an admin's: his browser moves money.
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
 * The token that a browser's script must send back: tied to the session, so a
 * cookie planted by a sibling subdomain is worth nothing. It begins with a
 * letter because some clients parse what looks like a number or JSON.
 */
export function xsrfToken(keys: Keys, session: Session): string {
  return `x${keys.sign('xsrf token', session.id)}`;
}

/** Prefixes make browsers hold to the attributes; they need https. */
function cookieName({ secure, domain }: SessionConfig, name: string): string {
  const prefix = !secure ? '' : domain === null ? '__Host-' : '__Secure-';
  return `${prefix}${name}`;
}

export function sessionCookieName(config: SessionConfig): string {
  return cookieName(config, 'cambist_session');
}

/**
 * The tokens by which accounts know this browser, newest first: random, one for each account that
 * signs in here. It sits beside the session's cookie, so that both reach the API by the same ways.
 */
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
 * Whether the cookies are those of a member's session that has just ended. What took its place, after
 * a new password for one, may be on its way to the browser: it is not to be overtaken by a guest's.
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

/** Whether the session's use is to be noted again. */
export function isDue({ lastUsedAt }: MemberSession, now: Date): boolean {
  return now.getTime() - lastUsedAt.getTime() >= NOTE_EVERY_MS;
}

/**
 * The session's two cookies, and the browser's where it has new tokens. The two stay as long as the
 * session can live at all, so that they are given once: set anew by a late answer, those of a
 * session that is over would take the place of another tab's.
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
