/**
 * Counts by key in fixed windows, which the first of a key begins. They are in memory, so that counting costs a public
 * read nearly nothing. Where several processes serve (API_PROCESSES), each adds every second what it has counted to a
 * table and takes over what the others have: together they exceed a limit by at most what comes within a second.
 */
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { SECOND, type Clock } from '#kernel/clock.ts';
import { notify, type Notices } from '#platform/cache/notices.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';

const SETTLE_MS = SECOND;
/** Of one exchange, so that its statements stay short. */
const BATCH = 5000;
const CHANNEL = 'counts_deleted';

export interface Counter {
  /** The count of the key's window, zero where the last one has ended, and how long it lasts. */
  read(key: string): { readonly count: number; readonly msLeft: number };
  /** Counts one more. */
  add(key: string): { readonly count: number; readonly msLeft: number };
  /** Forgets the key, or all keys that begin so, in every process. */
  delete(key: string): void;
  deleteAll(prefix: string): void;
}

export interface Counters {
  /** One for each name. Beyond `mostKeys` the key used longest ago goes. */
  open(name: string, options: { readonly windowMs: number; readonly mostKeys: number }): Counter;
  /** Exchanges counts with the other processes; by itself every second where there are some. */
  settle(): Promise<void>;
  /** Resolves when what other processes delete is deleted here, too. */
  listen(): Promise<void>;
  close(): void;
}

export interface CountersDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices: Pick<Notices, 'listen'>;
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

export function openCounters({ db, clock, notices, log, isShared }: CountersDeps): Counters {
  const counters = new Map<string, Map<string, Window>>();
  /** Those to exchange. */
  const used = new Set<Window>();
  const noted = noteTo(log);
  const settle = () => exchange(db, used, clock).catch(noted);

  /** Of this process; answers the ids of what was deleted. */
  function drop({ name, key, isPrefix }: Deleted): string[] {
    const windows = counters.get(name) ?? new Map<string, Window>();
    const keys = isPrefix ? [...windows.keys()].filter((each) => each.startsWith(key)) : [key];
    for (const each of keys) {
      const window = windows.get(each);
      if (window === undefined) continue;
      // Nor is what is being exchanged taken up again.
      window.endsAt = 0;
      used.delete(window);
      windows.delete(each);
    }
    return keys.map((each) => idOf(`${name} ${each}`));
  }

  /** Each process deletes the rows of what it has counted. */
  async function deleteRows(deleted: Deleted, isOwn: boolean): Promise<void> {
    const ids = drop(deleted);
    if (!isShared) return;
    await transaction(db, async (tx) => {
      await sql`delete from counts where id = any(${ids})`.execute(tx);
      if (isOwn) await notifyCountsDeleted(tx, deleted);
    }).catch(noted);
  }

  let timer: NodeJS.Timeout | undefined;
  if (isShared)
    timer = setTimeout(() => void settle().finally(() => timer?.refresh()), SETTLE_MS).unref();

  return {
    open(name, options) {
      const windows = new Map<string, Window>();
      counters.set(name, windows);
      return openCounter(windows, {
        ...options,
        name,
        clock,
        onUse: (window) => isShared && used.add(window),
        forget: (key, isPrefix) => void deleteRows({ name, key, isPrefix }, true),
      });
    },
    settle,
    async listen() {
      await notices.listen(
        CHANNEL,
        (deleted) => void deleteRows(deleted as unknown as Deleted, false),
      );
    },
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

const noteTo = (log: CountersDeps['log']) => (error: unknown) =>
  log.warn({ err: error }, 'Counts were not exchanged with the other processes.');

async function exchange(db: Db, used: Set<Window>, clock: Clock): Promise<void> {
  // One of each id: a key that was forgotten may be there twice.
  const sent = new Map(
    [...used].slice(0, BATCH).map((window) => [idOf(window.name), { ...window, window }]),
  );
  for (const { window } of sent.values()) {
    used.delete(window);
    window.own = 0;
  }
  try {
    for (const { id, count, ends_at } of await addCounts(db, sent, clock())) {
      const window = sent.get(id)?.window;
      if (window === undefined || ends_at <= clock()) continue;
      window.count = count + window.own;
      window.endsAt = ends_at.getTime();
    }
  } catch (error) {
    const now = clock().getTime();
    for (const { window, own, endsAt } of sent.values()) {
      if (window.endsAt !== endsAt || endsAt <= now) continue;
      window.own += own;
      used.add(window);
    }
    throw error;
  }
}

/** A key, or all that begin so, of the counter of this name. */
export interface Deleted {
  readonly name: string;
  readonly key: string;
  readonly isPrefix: boolean;
}

/** Has the processes of the service forget counts once `tx` has committed. */
export function notifyCountsDeleted(tx: Tx, deleted: Deleted): Promise<void> {
  return notify(tx, CHANNEL, { ...deleted });
}

interface CounterOptions {
  readonly name: string;
  readonly windowMs: number;
  readonly mostKeys: number;
  readonly clock: Clock;
  onUse(window: Window): void;
  forget(key: string, isPrefix: boolean): void;
}

function openCounter(
  windows: Map<string, Window>,
  { name, windowMs, mostKeys, clock, onUse, forget }: CounterOptions,
): Counter {
  function use(key: string, by: 0 | 1) {
    const now = clock().getTime();
    const window = windows.get(key) ?? { name: `${name} ${key}`, count: 0, endsAt: 0, own: 0 };
    // Nor one of a time when the clock was ahead.
    if (window.endsAt <= now || window.endsAt > now + windowMs) window.count = window.own = 0;
    if (window.count === 0) window.endsAt = now + windowMs;
    window.count += by;
    window.own += by;
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > mostKeys) windows.delete(windows.keys().next().value ?? '');
    onUse(window);
    return { count: window.count, msLeft: window.endsAt - now };
  }

  return {
    read: (key) => use(key, 0),
    add: (key) => use(key, 1),
    delete: (key) => forget(key, false),
    deleteAll: (prefix) => forget(prefix, true),
  };
}

/** A hash, since keys contain addresses of people. */
function idOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}

interface CountsRow {
  readonly id: string;
  readonly count: number;
  readonly ends_at: Date;
}

async function addCounts(
  db: Db,
  sent: ReadonlyMap<string, Pick<Window, 'own' | 'endsAt'>>,
  now: Date,
): Promise<CountsRow[]> {
  if (sent.size === 0) return [];
  await sql`
    delete from counts where id in (
      select id from counts where ends_at <= ${now} limit ${BATCH} for update skip locked)`.execute(
    db,
  );
  const all = [...sent.values()];
  // In the order of ids, so that processes do not wait for each other in a circle.
  const { rows } = await sql<CountsRow>`
    insert into counts as known (id, count, ends_at)
    select * from unnest(
      ${[...sent.keys()]}::text[], ${all.map(({ own }) => own)}::integer[],
      ${all.map(({ endsAt }) => new Date(endsAt).toISOString())}::timestamptz[]) as sent (id, count, ends_at)
    order by id
    on conflict (id) do update set
      count = case when known.ends_at > ${now} then known.count else 0 end + excluded.count,
      ends_at = case when known.ends_at > ${now} and known.count > 0 then known.ends_at else excluded.ends_at end
    returning id, count, ends_at`.execute(db);
  return rows;
}
