/**
 * What a letter that came back, or that its reader complained of, means for the newsletter: the
 * same as where a server refuses at once, and as where its reader ends it.
 */
import type { Id } from '#kernel/id.ts';
import type { Returned } from '#features/mail/mail.ts';
import type { Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { noteBounce, stopWhenRefused } from './campaign-letters.ts';
import { lockCampaign } from './campaign-store.ts';
import * as letters from './letter-store.ts';
import * as store from './store.ts';
import { skipWaitingTo } from './waking.ts';

/** A mailbox that was full five times in a row is nobody's any more. */
const MOST_IN_A_ROW = 5;

/** Nothing for a letter that is none of a campaign. */
export async function campaignLetterReturned(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  id: Id,
  { blamed, words }: Returned,
): Promise<void> {
  const written = await letters.findLetter(tx, id);
  if (written === undefined) return;
  // Rows are locked in one order everywhere: the letter, the reader, the campaign, its counts.
  const reader = await store.lockSubscriber(tx, written.subscriber_id);
  const campaign = await lockCampaign(tx, written.campaign_id);
  const state = blamed === 'mailbox' ? 'bounced' : 'failed';
  if (!(await letters.updateReturned(tx, id, state, blamed))) return;
  const isOver =
    isOfNow(written, reader) &&
    (blamed === 'mailbox' ||
      (await letters.cameBackInARow(tx, written.subscriber_id, MOST_IN_A_ROW)));
  if (isOver) await noteBounce(deps, tx, written.subscriber_id, words);
  if (campaign) await stopWhenRefused(deps, tx, campaign);
}

/** A late report of a letter from before the reader last confirmed says nothing of the mailbox now. */
function isOfNow(
  { campaign_started_at }: letters.LetterStanding,
  reader: store.SubscriberRow | undefined,
): boolean {
  if (campaign_started_at === null || !reader?.confirmed_at) return false;
  return campaign_started_at >= reader.confirmed_at;
}

/** Ends the newsletter of whoever complained of this letter. False where it is none of the newsletter's. */
export async function endByComplaint(
  { clock, jobs }: Pick<Deps, 'clock' | 'jobs'>,
  tx: Tx,
  letter: {
    readonly id: Id;
    readonly kind: string;
    readonly recipient: string;
    readonly created_at: Date;
  },
): Promise<boolean> {
  const written = await letters.findLetter(tx, letter.id);
  if (written === undefined && !letter.kind.startsWith('subscribe-')) return false;
  const reader = await (written
    ? store.lockSubscriber(tx, written.subscriber_id)
    : store.lockByEmail(tx, letter.recipient));
  // Who has asked again since then has changed their mind.
  if (reader === undefined || reader.state === 'left' || reader.asked_at > letter.created_at)
    return true;
  const left_at = clock();
  await store.updateSubscriber(tx, reader.id, { state: 'left', left_at });
  await skipWaitingTo({ jobs }, tx, reader.id);
  if (written) await letters.noteEnd(tx, letter.id, left_at);
  return true;
}
