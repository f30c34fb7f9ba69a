/**
 * The limit of emails to one address. Anyone can type another person's address, so an address that is
 * not proved gets only the emails that prove it, open its account or confirm a message, and few of
 * them. Kinds are counted apart: what strangers cause takes nothing from the others.
 */
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Email } from './email.ts';
import * as store from './store.ts';

/** Sent to addresses that are not proved yet. */
const PROVING: ReadonlySet<string> = new Set(['verify-address', 'verify-new-address']);
/** The owner's way into the account. */
const OPENING: ReadonlySet<string> = new Set([
  ...PROVING,
  'reset-password',
  'password-reset-forced',
]);
/** Anyone who types the address causes them: more than two a day tell its owner nothing. */
const BY_STRANGERS: ReadonlySet<string> = new Set([
  'address-has-account',
  'message-received',
  'subscribe-confirm',
  'reserve-alert-confirm',
]);
const TO_UNPROVED = OPENING.union(BY_STRANGERS).difference(new Set(['address-has-account']));

interface Limit {
  readonly perHour: number;
  readonly perDay: number;
  /** In an hour, however many the day has had: strangers must not lock an owner out for a day. */
  readonly always: number;
}

const STRANGERS_LIMIT: Limit = { perHour: 2, perDay: 2, always: 0 };
const UNPROVED_PER_HOUR = 5;
const LIMIT: Limit = { perHour: 30, perDay: Infinity, always: 0 };
const OPENING_LIMIT: Limit = { ...LIMIT, perDay: 20, always: 1 };

export type Counted = Pick<Email, 'kind' | 'to' | 'essential'>;

/** Whether the email may name the account's owner. */
export function isProved({ kind, to }: Pick<Email, 'kind' | 'to'>): boolean {
  return to.proved && !PROVING.has(kind);
}

/**
 * Whether to send this email, and counts it if so.
 * @throws {MissingAppKey} for one that is not `essential`.
 */
export async function countEmail(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  email: Counted,
): Promise<boolean> {
  const { kind, to, essential } = email;
  if (essential) return true;
  if (!isProved(email) && !TO_UNPROVED.has(kind)) return false;
  const { perHour, perDay, always } = limitOf(email);
  const now = clock().getTime();
  // A keyed hash: the address does not stay here when its account is deleted.
  const hash = Buffer.from(keys.sign('emails to', to.email.toLowerCase()), 'base64url');
  const counted = { hash, kind, hour: new Date(now - (now % HOUR)) };
  const before =
    perDay === Infinity ? 0 : await store.countBefore(tx, counted, new Date(now - DAY));
  return store.countUpTo(tx, counted, Math.min(perHour, Math.max(always, perDay - before)));
}

function limitOf(email: Counted): Limit {
  if (BY_STRANGERS.has(email.kind)) return STRANGERS_LIMIT;
  if (!OPENING.has(email.kind)) return LIMIT;
  return isProved(email) ? OPENING_LIMIT : { ...OPENING_LIMIT, perHour: UNPROVED_PER_HOUR };
}
