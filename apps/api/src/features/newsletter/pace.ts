/**
 * The pace of campaigns: writes their letters into the outbox, as many a minute as
 * the settings say. Those whose first try has not ended and those that a server took within the
 * last minute are together never more than that; what is tried again counts once it is taken. A
 * batch is one transaction of letters, jobs and cursor, so a crash loses none and
 * repeats none; one row that all processes lock keeps them to one pace together.
 */
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { post, takeUp } from '#features/mail/mail.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { campaignEndLinkOf } from './links.ts';
import * as store from './campaign-store.ts';
import {
  CAMPAIGN,
  CAMPAIGN_LETTERS,
  countSent,
  countUnanswered,
  insertLetters,
  listSetAside,
} from './letter-store.ts';

export const CAMPAIGN_PACE = 'campaign-pace';

/** Between two batches; none is larger than what the pace allows for this time. */
const TICK_MS = 10 * SECOND;
/** After a rest no more is made up for than this, with the batches that follow. */
const LONGEST_REST_MS = 30 * SECOND;

/** The next batch, as soon as `tx` has committed or when its time has come. */
export async function askForLetters(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  startAfter?: Date,
): Promise<void> {
  await jobs.enqueue(tx, CAMPAIGN_PACE, {}, { key: 'next', ...(startAfter ? { startAfter } : {}) });
}

/** How many may go out at this moment, and up to when that is accounted for. Pure. */
export function allowed(perMinute: number, since: Date, now: Date) {
  const rested = Math.min(now.getTime() - since.getTime(), LONGEST_REST_MS);
  const longest = Math.max(rested, 0);
  const batch = Math.ceil((perMinute * TICK_MS) / MINUTE);
  const most = Math.min(Math.floor((perMinute * longest) / MINUTE), batch);
  // Slower than two a minute: one, each time that one is due.
  if (most === 0 && now.getTime() - since.getTime() >= MINUTE / perMinute) {
    return { most: 1, until: now };
  }
  const used = (most * MINUTE) / perMinute;
  return { most, until: new Date(now.getTime() - longest + used) };
}

/** Writes the next batch, and asks for the one after it while any campaign goes on. */
export async function writeLetters(deps: Deps): Promise<void> {
  const { campaign_letters_per_minute: perMinute } = await read(deps, 'mail');
  await transaction(deps.db, async (tx) => {
    const now = deps.clock();
    const since = await store.lockPace(tx);
    const { most, until } = allowed(perMinute, since, now);
    // Batches come early or late, and so do their letters: those of a minute are counted. The
    // unanswered ones first, so that one that is answered meanwhile is in either count.
    const lastMinute = new Date(now.getTime() - MINUTE);
    const room =
      perMinute - (await countUnanswered(tx, perMinute)) - (await countSent(tx, lastMinute));
    const batch = Math.max(0, Math.min(most, room));
    const resumed = await takeUpLetters(deps, tx, batch);
    const written = resumed + (await writeBatch(deps, tx, batch - resumed));
    if (written > 0) await store.updatePace(tx, until);
    await store.endCampaigns(tx, now);
    if (await store.isAnySending(tx)) {
      await askForLetters(deps, tx, new Date(now.getTime() + TICK_MS));
    }
  });
}

/** Those of campaigns that were paused go before new ones, and at the same pace; answers how many. */
async function takeUpLetters(deps: Deps, tx: Tx, most: number): Promise<number> {
  const ids = await listSetAside(tx, most);
  await takeUp(deps, tx, CAMPAIGN_LETTERS, ids);
  return ids.length;
}

async function writeBatch(deps: Deps, tx: Tx, most: number): Promise<number> {
  const campaign = most > 0 ? await store.lockNextToWrite(tx) : undefined;
  if (campaign === undefined) return 0;
  const now = deps.clock();
  // Whoever was confirmed in a transaction that the count did not see yet is one too many.
  const left = (campaign.recipients ?? 0) - (await store.countWritten(tx, campaign.id));
  const readers = await store.listReaders(tx, campaign, Math.max(0, Math.min(most, left)));
  const rows = readers.map(({ id }) => ({ id: newId(), subscriber_id: id }));
  const isNew = await insertLetters(tx, campaign.id, rows);
  for (const [at, { email, locale }] of readers.entries()) {
    const id = rows[at]?.id ?? '';
    if (!isNew.has(id)) continue;
    await post(deps, tx, {
      id,
      kind: CAMPAIGN,
      queue: CAMPAIGN_LETTERS,
      to: { email, userId: null, name: '', locale, proved: true },
      // The words are put in when it is sent; its link is what a server's answer must not repeat.
      content: {
        subject: campaign.subject,
        preview: '',
        heading: '',
        paragraphs: [],
        link: { label: '', ...campaignEndLinkOf(id) },
      },
    });
  }
  const last = readers.at(-1);
  await store.updateCampaign(tx, campaign.id, {
    ...(last ? { cursor: last.id } : {}),
    ...(readers.length < most ? { written_at: now } : {}),
  });
  return readers.length;
}
