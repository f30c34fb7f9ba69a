/**
 * Whose turn it is to send a letter. While somebody sends, `next_attempt_at` lies ahead, and is
 * moved on as long as they do: so a server may take minutes, and a letter whose process has died
 * is somebody else's soon.
 */
import { SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './store.ts';

const LEASE_MS = 90 * SECOND;
/** Often enough that two may fail, the database being away. */
const RENEW_MS = 25 * SECOND;

const leaseEnd = ({ clock }: Pick<Deps, 'clock'>) => new Date(clock().getTime() + LEASE_MS);

/** Takes the letter for a while; null when it is done with, or somebody else's turn. */
export async function lease(deps: Deps, id: Id): Promise<store.LetterRow | null> {
  return transaction(deps.db, async (tx) => {
    const taken = await store.leaseLetter(tx, id, deps.clock(), leaseEnd(deps));
    if (taken) return taken;
    await askWhenDue(deps, tx, id);
    return null;
  });
}

/** A job for when it is due, or its lease has ended without a word. */
export async function askWhenDue({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, id: Id): Promise<void> {
  const waiting = await store.findLetter(tx, id);
  if (waiting?.state !== 'waiting' || waiting.next_attempt_at === null) return;
  const startAfter = waiting.next_attempt_at;
  await jobs.enqueue(tx, waiting.queue, { id }, { key: id, startAfter });
}

/** Keeps the lease while `work` goes on, until the process is told to stop: it may be gone at any moment then. */
export async function keepLease<T>(
  deps: Deps,
  letter: store.LetterRow,
  stopping: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(() => {
    if (stopping?.aborted) return;
    // The next one comes before the lease has ended.
    store.renewLease(deps.db, letter, leaseEnd(deps)).catch(() => undefined);
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}
