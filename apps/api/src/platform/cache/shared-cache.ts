/**
 * Values in memory, outdated by announced changes of any process. A change is announced in its transaction;
 * until this process receives its own announcement it does not use cached values of that name, so that a
 * writer never reads the old value back.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SECOND } from '#kernel/clock.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Notices } from './notices.ts';
import { runForAll } from '#platform/http/request-context.ts';

export interface SharedCache {
  /**
   * The value under `key`, built when there is none, after a change of one of `names`, when it is older
   * than `maxAgeMs`, or was built from another `source`. Concurrent callers share one build.
   */
  get<T>(
    key: string,
    names: readonly string[],
    build: () => Promise<T>,
    maxAgeMs: number,
    source?: unknown,
  ): Promise<T>;
  /** The value that `get` would return now without building, its age and source apart. */
  peek(key: string): unknown;
  /** Announces that this transaction changes all values of these names. */
  changed(tx: Tx, ...names: string[]): Promise<void>;
}

interface Entry {
  readonly names: readonly string[];
  readonly since: number;
  readonly value: Promise<unknown>;
  readonly source: unknown;
  /** Undefined while it is built. */
  built: unknown;
  /** A change was received after the build started, so the next caller builds again. */
  outdated: boolean;
}

/** Keys can contain user input, so their number is bounded. */
const MAX_ENTRIES = 1000;
/** A transaction that rolled back announces nothing; its names are used again after this. */
const PENDING_MS = 2 * SECOND;

export function openSharedCache(notices: Notices, channel: string): SharedCache {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  const pending = openPending();
  let listening: Promise<unknown> | null = null;

  function receive(payload: Record<string, unknown>): void {
    pending.received(payload['mark']);
    const changed = Array.isArray(payload['names']) ? payload['names'] : [];
    for (const entry of entries.values()) {
      if (entry.names.some((name) => changed.includes(name))) entry.outdated = true;
    }
  }

  /** Without notices of changes nothing may be cached. */
  async function isListening(): Promise<boolean> {
    listening ??= notices.listen(channel, receive, () => entries.clear());
    try {
      await listening;
      return true;
    } catch {
      listening = null;
      return false;
    }
  }

  return {
    async get<T>(
      key: string,
      names: readonly string[],
      build: () => Promise<T>,
      maxAgeMs: number,
      source?: unknown,
    ) {
      if (!(await isListening()) || pending.includes(names)) return build();
      const now = performance.now();
      const known = entries.get(key);
      if (known && !known.outdated && now - known.since < maxAgeMs && known.source === source)
        return known.value as Promise<T>;
      const value = runForAll(build);
      const entry: Entry = { names, since: now, value, source, built: undefined, outdated: false };
      entries.set(key, entry);
      value.then(
        (built) => {
          entry.built = built;
        },
        () => {
          if (entries.get(key) === entry) entries.delete(key);
        },
      );
      return value;
    },

    peek(key) {
      const known = entries.get(key);
      return known && !known.outdated && !pending.includes(known.names) ? known.built : undefined;
    },

    async changed(tx, ...names) {
      await notices.notify(tx, channel, { names, mark: pending.add(names) });
    },
  };
}

/** Own changes that were announced and not yet received, by their mark. */
function openPending() {
  const pending = new Map<unknown, { names: readonly string[]; until: number }>();
  return {
    add(names: readonly string[]): string {
      const mark = randomUUID();
      pending.set(mark, { names, until: performance.now() + PENDING_MS });
      return mark;
    },
    received: (mark: unknown) => pending.delete(mark),
    /** Whether a change of one of them is pending. */
    includes(names: readonly string[]): boolean {
      const now = performance.now();
      for (const [mark, { names: changed, until }] of pending) {
        if (until < now) pending.delete(mark);
        else if (names.some((name) => changed.includes(name))) return true;
      }
      return false;
    },
  };
}
