/**
 * What may be written to an address, and how often. Anybody can type another's
 * address, so to one that is not proved go only the letters that prove it,
 * open its account or say that a message arrived, few of them, and nothing in them that a stranger chose.
 * Letters about money are never held back.
 */
import { DAY, HOUR } from '#kernel/clock.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './allowance-store.ts';
import type { Letter } from './letter.ts';

/** They go where nobody has proved anything yet, whomever their account belongs to. */
const PROVING: ReadonlySet<string> = new Set(['verify-address', 'verify-new-address']);
const UNPROVED: ReadonlySet<string> = new Set([
  ...PROVING,
  'reset-password',
  'message-received',
  'subscribe-confirm',
]);

const UNPROVED_AN_HOUR = 5;
const UNPROVED_A_DAY = 20;
/** What tells somebody of their own account; who has more in an hour learns nothing new by it. */
const PROVED_AN_HOUR = 30;

/** Whether the letter's name and words may be those of its account's owner. */
export function isProved({ kind, to }: Letter): boolean {
  return to.proved && !PROVING.has(kind);
}

/**
 * Whether to write this letter; counts it, or counts that it was dropped.
 * @throws {MissingAppKey} for one that is not `essential`.
 */
export async function mayWrite(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  letter: Letter,
): Promise<boolean> {
  if (letter.essential || letter.queue !== undefined) return true;
  const proved = isProved(letter);
  if (!proved && !UNPROVED.has(letter.kind)) return false;
  const now = clock().getTime();
  const hour = new Date(now - (now % HOUR));
  // Addresses do not stay here when their account goes.
  const hash = Buffer.from(keys.sign('letters to', letter.to.email.toLowerCase()), 'base64url');
  const { written, before } = await store.lockCount(tx, hash, hour, new Date(now - DAY));
  const most = proved
    ? PROVED_AN_HOUR
    : Math.min(UNPROVED_AN_HOUR, Math.max(0, UNPROVED_A_DAY - before));
  const may = written < most;
  await store.updateCount(tx, hash, hour, may ? 'written' : 'dropped');
  return may;
}

/** How many letters were dropped within a day. */
export function countDropped(db: Db, now: Date): Promise<number> {
  return store.countDropped(db, new Date(now.getTime() - DAY));
}

/** Says in the log what was dropped since the last time, in one line however many there are. */
export async function tellDropped({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<number> {
  const { letters, addresses } = await transaction(db, (tx) => store.takeUntold(tx));
  if (letters > 0)
    log.warn({ letters, addresses }, 'Letters were dropped: their addresses had many already.');
  return letters;
}

/** Counts that no limit looks at any more. */
export function forgetCounts(tx: Tx, now: Date): Promise<number> {
  return store.deleteCountsBefore(tx, new Date(now.getTime() - 2 * DAY));
}
