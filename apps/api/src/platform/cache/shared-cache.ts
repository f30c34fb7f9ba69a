/**
 * Values kept in memory until someone, in any process, says that they changed.
 * A change is announced within its transaction; until this process hears its
 * own announcement it trusts nothing of that name, so that who has just written
 * never reads the old value back.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SECOND } from '#kernel/clock.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Notices } from './notices.ts';
import { runForAll } from '#platform/http/request-context.ts';

export interface Kept {
  /**
   * The value under `key`, built when there is none, when a change of one of `names` was
   * heard or when it is older than `maxAgeMs`. Simultaneous callers share one build.
   */
  get<T>(
    key: string,
    names: readonly string[],
    build: () => Promise<T>,
    maxAgeMs: number,
  ): Promise<T>;
  /** Says that everything of these names changes with this transaction. */
  changed(tx: Tx, ...names: string[]): Promise<void>;
}

interface Entry {
  readonly names: readonly string[];
  readonly since: number;
  readonly value: Promise<unknown>;
  /** A change was heard after the build began, so the next caller builds again. */
  outdated: boolean;
}

/** Keys can come from addresses that people type, so their number is bounded. */
const MAX_ENTRIES = 1000;
/** A transaction that rolled back announces nothing; its names are trusted again after this. */
const UNHEARD_MS = 2 * SECOND;

export function openKept(notices: Notices, channel: string): Kept {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  /** Own changes that were announced and not yet heard, by their mark. */
  const unheard = new Map<string, { names: readonly string[]; until: number }>();
  let listening: Promise<unknown> | null = null;

  function hear(payload: Record<string, unknown>): void {
    if (typeof payload['mark'] === 'string') unheard.delete(payload['mark']);
    const changed = Array.isArray(payload['names']) ? payload['names'] : [];
    for (const entry of entries.values()) {
      if (entry.names.some((name) => changed.includes(name))) entry.outdated = true;
    }
  }

  /** Without being told of changes nothing may be kept. */
  async function canKeep(): Promise<boolean> {
    listening ??= notices.listen(channel, hear, () => entries.clear());
    try {
      await listening;
      return true;
    } catch {
      listening = null;
      return false;
    }
  }

  function isUnheard(names: readonly string[]): boolean {
    const now = performance.now();
    for (const [mark, { names: changed, until }] of unheard) {
      if (until < now) unheard.delete(mark);
      else if (names.some((name) => changed.includes(name))) return true;
    }
    return false;
  }

  return {
    async get<T>(key: string, names: readonly string[], build: () => Promise<T>, maxAgeMs: number) {
      if (!(await canKeep()) || isUnheard(names)) return build();
      const now = performance.now();
      const known = entries.get(key);
      if (known && !known.outdated && now - known.since < maxAgeMs)
        return known.value as Promise<T>;
      const value = runForAll(build);
      const entry: Entry = { names, since: now, value, outdated: false };
      entries.set(key, entry);
      value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return value;
    },

    async changed(tx, ...names) {
      const mark = randomUUID();
      unheard.set(mark, { names, until: performance.now() + UNHEARD_MS });
      await notices.notify(tx, channel, { names, mark });
    },
  };
}
