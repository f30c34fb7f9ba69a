/**
 * Counts by key in fixed windows, which the first of a key begins. They are in memory, so that counting costs a public
 * read nearly nothing. Where several processes serve (API_PROCESSES), each adds every second what it has counted to a
 * table and takes over what the others have: together they exceed a limit by at most what comes within a second.
 */
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { SECOND, type Clock } from '#kernel/clock.ts';
import type { Db } from '#platform/db/database.ts';

const SETTLE_MS = SECOND;
const FORGET_BATCH = 1000;

export interface Counter {
  /** The count of the key's window, zero where the last one has ended, and how long it lasts. */
  read(key: string): { readonly count: number; readonly msLeft: number };
  /** Counts one more. */
  add(key: string): { readonly count: number; readonly msLeft: number };
  delete(key: string): void;
  /** Only keys that this process knows; what others have counted ends with its window. */
  deleteAll(prefix: string): void;
}

export interface Counters {
  /** Beyond `mostKeys` the key used longest ago goes. */
  open(name: string, options: { readonly windowMs: number; readonly mostKeys: number }): Counter;
  /** Exchanges counts with the other processes; by itself every second where there are some. */
  settle(): Promise<void>;
  close(): void;
}

export interface CountersDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** Whether other processes count too. */
  readonly isShared: boolean;
}

interface Window {
  readonly name: string;
  count: number;
  endsAt: number;
  /** What this process has added since the last exchange. */
  own: number;
}

export function openCounters({ db, clock, log, isShared }: CountersDeps): Counters {
  /** Those to exchange. */
  const used = new Set<Window>();

  async function settle(): Promise<void> {
    // One of each id: a key that was forgotten may be there twice.
    const sent = new Map([...used].map((window) => [idOf(window), { window, own: window.own }]));
    used.clear();
    for (const { window } of sent.values()) window.own = 0;
    try {
      for (const { id, count, ends_at } of await addCounts(db, sent, clock())) {
        const window = sent.get(id)?.window;
        if (window === undefined || ends_at <= clock()) continue;
        window.count = count + window.own;
        window.endsAt = ends_at.getTime();
      }
    } catch (error) {
      for (const { window, own } of sent.values()) {
        window.own += own;
        used.add(window);
      }
      log.warn({ err: error }, 'Counts were not exchanged with the other processes.');
    }
  }

  let timer: NodeJS.Timeout | undefined;
  if (isShared)
    timer = setTimeout(() => void settle().finally(() => timer?.refresh()), SETTLE_MS).unref();

  return {
    open: (name, options) =>
      openCounter(name, { ...options, clock, onUse: (window) => isShared && used.add(window) }),
    settle,
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

interface CounterOptions {
  readonly windowMs: number;
  readonly mostKeys: number;
  readonly clock: Clock;
  onUse(window: Window): void;
}

function openCounter(name: string, { windowMs, mostKeys, clock, onUse }: CounterOptions): Counter {
  const windows = new Map<string, Window>();

  function use(key: string, by: 0 | 1) {
    const now = clock().getTime();
    const window = windows.get(key) ?? { name: `${name} ${key}`, count: 0, endsAt: 0, own: 0 };
    if (window.endsAt <= now) window.count = window.own = 0;
    if (window.count === 0) window.endsAt = now + windowMs;
    window.count += by;
    window.own += by;
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > mostKeys) windows.delete(windows.keys().next().value ?? '');
    onUse(window);
    return { count: window.count, msLeft: window.endsAt - now };
  }

  function remove(key: string): void {
    const window = windows.get(key);
    if (window === undefined) return;
    window.own -= window.count;
    window.count = 0;
    onUse(window);
  }

  return {
    read: (key) => use(key, 0),
    add: (key) => use(key, 1),
    delete: remove,
    deleteAll(prefix) {
      for (const key of windows.keys()) if (key.startsWith(prefix)) remove(key);
    },
  };
}

/** A hash, since keys contain addresses of people. */
function idOf({ name }: Window): string {
  return createHash('sha256').update(name).digest('base64url');
}

interface CountsRow {
  readonly id: string;
  readonly count: number;
  readonly ends_at: Date;
}

async function addCounts(
  db: Db,
  sent: ReadonlyMap<string, { readonly window: Window; readonly own: number }>,
  now: Date,
): Promise<CountsRow[]> {
  if (sent.size === 0) return [];
  await sql`
    delete from counts where id in (
      select id from counts where ends_at <= ${now} limit ${FORGET_BATCH} for update skip locked)`.execute(
    db,
  );
  const all = [...sent.values()];
  // In the order of ids, so that processes do not wait for each other in a circle.
  const { rows } = await sql<CountsRow>`
    insert into counts as known (id, count, ends_at)
    select * from unnest(
      ${[...sent.keys()]}::text[], ${all.map(({ own }) => own)}::integer[],
      ${all.map(({ window }) => new Date(window.endsAt).toISOString())}::timestamptz[]) as sent (id, count, ends_at)
    order by id
    on conflict (id) do update set
      count = greatest(0, case when known.ends_at > ${now} then known.count else 0 end + excluded.count),
      ends_at = case when known.ends_at > ${now} and known.count > 0 then known.ends_at else excluded.ends_at end
    returning id, count, ends_at`.execute(db);
  return rows;
}
