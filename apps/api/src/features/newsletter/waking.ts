/**
 * Letters of campaigns that wait in the outbox, when their reader leaves, or their campaign goes on
 * or is cancelled: a job leaves them to the pace, or takes them back. There may be a hundred
 * thousand, so it does a thousand in a transaction; begun again, it repeats no letter.
 */
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { jobOf, setAside, withdraw } from '#features/mail/mail.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { findCampaign } from './campaign-store.ts';
import * as store from './letter-store.ts';

export const CAMPAIGN_WAKE = 'campaign-wake';

type WakeDeps = Pick<Deps, 'db' | 'clock' | 'jobs'>;

const BATCH = 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** After so long it is no queue that a letter waits in, but its job is gone. */
const OVERDUE_MS = 10 * MINUTE;

/** Once `tx` has committed. */
export async function askToWake({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, id: Id): Promise<void> {
  await jobs.enqueue(tx, CAMPAIGN_WAKE, { id }, { key: id });
}

/** Each batch sees anew where the campaign stands: what is paused again is left alone. */
export function wakeLetters(deps: WakeDeps, campaignId: Id): Promise<number> {
  return inBatches(deps, async (tx, after) => {
    const campaign = await findCampaign(tx, campaignId);
    if (campaign?.state !== 'sending' && campaign?.state !== 'cancelled') return [];
    const ids = await store.listQueued(tx, campaignId, { after, limit: BATCH });
    // The pace takes them up, a few at a time.
    if (campaign.state === 'sending') await setAside(tx, ids, deps.clock());
    else await takeBack(deps, tx, ids);
    return ids;
  });
}

/** Asks for letters whose job is gone, as after a restore; answers how many. */
export function rouseLetters(deps: WakeDeps): Promise<number> {
  const due = new Date(deps.clock().getTime() - OVERDUE_MS);
  return inBatches(deps, async (tx, after) => {
    const ids = await store.listOverdue(tx, { after, limit: BATCH, due });
    await askFor(deps, tx, ids);
    return ids;
  });
}

/**
 * What waits for somebody who leaves is not sent any more. Its own job takes it out of the outbox:
 * a letter there is locked before its reader, who is locked by now.
 */
export async function skipWaitingTo(
  deps: Pick<Deps, 'jobs'>,
  tx: Tx,
  subscriberId: Id,
): Promise<void> {
  await askFor(deps, tx, await store.skipLettersTo(tx, subscriberId));
}

async function inBatches(
  { db }: WakeDeps,
  work: (tx: Tx, after: Id) => Promise<Id[]>,
): Promise<number> {
  let done = 0;
  for (let after = FIRST_ID; ;) {
    const ids = await transaction(db, (tx) => work(tx, after));
    done += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return done;
    after = last;
  }
}

async function askFor({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, ids: readonly Id[]): Promise<void> {
  await jobs.enqueueAll(tx, store.CAMPAIGN_LETTERS, ids.map(jobOf));
}

/** One that is being sent just now, or waits for another attempt, ends by its own job. */
async function takeBack({ jobs, clock }: WakeDeps, tx: Tx, ids: readonly Id[]): Promise<void> {
  const withdrawn = await withdraw(tx, ids, clock());
  await store.skipLetters(tx, ids);
  await jobs.takeBack(tx, store.CAMPAIGN_LETTERS, withdrawn);
}
