/**
 * What may be written to an address, and how often. Anybody can type another's
 * address, so to one that is not proved go only the letters that prove it,
 * open its account or say that a message arrived, few of them, and nothing in them that a stranger chose.
 * Each kind is counted apart, so that what strangers cause silences nothing else.
 * Letters about money are never held back.
 */
import { DAY, HOUR } from '#kernel/clock.ts';
import { afterRollback, transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './allowance-store.ts';
import type { Letter } from './letter.ts';

/** They go where nobody has proved anything yet, whomever their account belongs to. */
const PROVING: ReadonlySet<string> = new Set(['verify-address', 'verify-new-address']);
const UNPROVED: ReadonlySet<string> = new Set([
  ...PROVING,
  'reset-password',
  'allow-browser',
  'password-reset-forced',
  'message-received',
  'subscribe-confirm',
]);

/** Whoever types an address causes them, whosever it is: more of one kind in a day tell its owner nothing. */
const BY_STRANGERS: ReadonlySet<string> = new Set([
  'address-has-account',
  'message-received',
  'subscribe-confirm',
]);

interface Most {
  readonly anHour: number;
  readonly aDay: number;
  /** In each hour of a day that has had as many already: none, but for what must not be shut. */
  readonly evenSo?: number;
}

const FROM_STRANGERS: Most = { anHour: 2, aDay: 2 };
const TO_UNPROVED: Most = { anHour: 5, aDay: 20 };
/** Its owner's way in, or on to an address of theirs: strangers can thin it, and not shut it for a day. */
const OPENING = { aDay: 20, evenSo: 1 };
const BY_OPENING: ReadonlySet<string> = new Set([
  'reset-password',
  'verify-new-address',
  'allow-browser',
]);
/** What tells somebody of their own account; who has more in an hour learns nothing new by it. */
const TO_PROVED: Most = { anHour: 30, aDay: Infinity };

/** What the numbers depend on. */
export type Counting = Pick<Letter, 'kind' | 'to' | 'essential' | 'queue'>;
type AllowanceDeps = Pick<Deps, 'keys' | 'clock'>;

/** Whether the letter's name and words may be those of its account's owner. */
export function isProved({ kind, to }: Pick<Letter, 'kind' | 'to'>): boolean {
  return to.proved && !PROVING.has(kind);
}

/**
 * Whether to write this letter; counts it, or counts that it was dropped.
 * @throws {MissingAppKey} for one that is not `essential`.
 */
export async function mayWrite(deps: AllowanceDeps, tx: Tx, letter: Counting): Promise<boolean> {
  if (letter.essential || letter.queue !== undefined) return true;
  if (!isProved(letter) && !UNPROVED.has(letter.kind)) return false;
  const counted = countedOf(deps, letter);
  const { now, hour } = hourOf(deps);
  const { written, before } = await store.lockCount(tx, counted, hour, new Date(now - DAY));
  const { anHour, aDay, evenSo = 0 } = mostOf(letter);
  const may = written < Math.min(anHour, Math.max(evenSo, aDay - before));
  await store.updateCount(tx, counted, hour, may ? 'written' : 'dropped');
  return may;
}

/** When such a letter is written again, after one that was not: an hour begins then. */
export async function nextRoom(deps: AllowanceDeps, tx: Tx, letter: Counting): Promise<Date> {
  const { now, hour } = hourOf(deps);
  const known = await store.listWritten(tx, countedOf(deps, letter), new Date(now - DAY));
  const { aDay, evenSo = 0 } = mostOf(letter);
  if (evenSo > 0) return new Date(hour.getTime() + HOUR);
  for (let next = hour.getTime() + HOUR; ; next += HOUR) {
    const within = known.filter((each) => each.hour.getTime() > next - DAY);
    if (within.reduce((sum, { written }) => sum + written, 0) < aDay) return new Date(next);
  }
}

function mostOf(letter: Counting): Most {
  if (BY_STRANGERS.has(letter.kind)) return FROM_STRANGERS;
  const most = isProved(letter) ? TO_PROVED : TO_UNPROVED;
  return BY_OPENING.has(letter.kind) ? { ...most, ...OPENING } : most;
}

/** Addresses do not stay here when their account goes. */
function countedOf({ keys }: Pick<Deps, 'keys'>, { kind, to }: Counting): store.Counted {
  const hash = Buffer.from(keys.sign('letters to', to.email.toLowerCase()), 'base64url');
  return { hash, kind };
}

function hourOf({ clock }: Pick<Deps, 'clock'>): { now: number; hour: Date } {
  const now = clock().getTime();
  return { now, hour: new Date(now - (now % HOUR)) };
}

/**
 * Counts a letter that was not written and whose absence ends `tx`: what `mayWrite` counted goes
 * with the transaction, and an operator should see that limits bite.
 */
export function countRefused(deps: AllowanceDeps, tx: Tx, letter: Counting): void {
  const [counted, { hour }] = [countedOf(deps, letter), hourOf(deps)];
  afterRollback(tx, (db) => store.addDropped(db, counted, hour));
}

/** How many letters of which kinds were dropped within a day. */
export function listDropped(db: Db, now: Date): Promise<{ kind: string; letters: number }[]> {
  return store.listDropped(db, new Date(now.getTime() - DAY));
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
