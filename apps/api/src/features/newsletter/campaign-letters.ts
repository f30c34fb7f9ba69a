/**
 * One letter of a campaign at the moment it is sent: its reader may have left, or
 * somebody stopped the campaign, since it was written. What the server says of the
 * mailbox is remembered with the subscriber.
 */
import type { Id } from '#kernel/id.ts';
import { askWhenDue, sendLetter, withdraw, type LettersOwner } from '#features/mail/mail.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { JobRun } from '#platform/jobs.ts';
import { campaignWords, tell } from './campaigns.ts';
import { campaignEndLinkOf } from './links.ts';
import * as campaigns from './campaign-store.ts';
import * as store from './letter-store.ts';
import { askForLetters } from './pace.ts';
import { lockSubscriber, updateSubscriber } from './store.ts';

/** Of so many letters, with so many refused, a share is no accident: the server, or the list, is at fault. */
const FEWEST_LETTERS = 20;
const FEWEST_REFUSED = 5;
const MOST_REFUSED_SHARE = 0.1;

/** The job of one letter; it may be asked for more than once. */
export async function sendCampaignLetter(deps: Deps, id: Id, job?: JobRun): Promise<void> {
  const standing = await store.findLetter(deps.db, id);
  // Its reader left, who may be one again by now.
  const isSkipped = standing?.state === 'skipped';
  // It waits in the outbox until the campaign goes on.
  if (standing?.campaign_state === 'paused' && !isSkipped) return;
  if (
    standing === undefined ||
    isSkipped ||
    standing.campaign_state === 'cancelled' ||
    standing.subscriber_state !== 'confirmed'
  ) {
    await transaction(deps.db, async (tx) => {
      const withdrawn = await withdraw(tx, [id], deps.clock());
      await store.skipLetters(tx, [id]);
      // Being sent just now, or put off: asked again when that is over.
      if (withdrawn.length === 0) await askWhenDue(deps, tx, id);
      if (standing) await endIfLast(deps, tx, standing.campaign_id);
    });
    return;
  }
  await sendLetter(deps, id, { owner: ownerOf(deps, id, standing), job });
}

function ownerOf(deps: Deps, id: Id, standing: store.LetterStanding): LettersOwner {
  return {
    async words() {
      const words = await campaignWords(deps, standing.campaign_id);
      return { ...words, link: { label: words.link?.label ?? '', ...campaignEndLinkOf(id) } };
    },
    async settled(tx, outcome, answer) {
      // Rows are locked in one order everywhere: the letter, the reader, the campaign, its counts.
      if (outcome === 'bounced') await noteBounce(deps, tx, standing.subscriber_id, answer);
      // One that arrived is the twentieth to tell by as well, where enough did not.
      const isQuiet = outcome === 'sent' && standing.campaign_refused < FEWEST_REFUSED;
      const campaign = isQuiet ? null : await campaigns.lockCampaign(tx, standing.campaign_id);
      await store.updateLetter(tx, id, outcome);
      if (campaign) await stopWhenRefused(deps, tx, campaign);
      await endIfLast(deps, tx, standing.campaign_id);
    },
  };
}

/** Said at once, and not with the next batch; by its job, since who has changed a count locks no campaign. */
async function endIfLast(deps: Pick<Deps, 'jobs'>, tx: Tx, campaignId: Id): Promise<void> {
  if (await campaigns.findOver(tx, campaignId)) await askForLetters(deps, tx);
}

async function noteBounce(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  id: Id,
  answer: string,
): Promise<void> {
  const subscriber = await lockSubscriber(tx, id);
  if (subscriber?.state !== 'confirmed') return;
  const bounced_at = clock();
  await updateSubscriber(tx, id, { state: 'bounced', bounced_at, bounce_words: answer });
}

/** Once: whoever resumes it has seen why it stopped. */
async function stopWhenRefused(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  campaign: campaigns.CampaignRow,
): Promise<void> {
  const { id, state, paused_for, version } = campaign;
  if (state !== 'sending' || paused_for !== null) return;
  const { sent = 0, failed = 0, bounced = 0 } = (await campaigns.countsOf(tx, [id])).get(id) ?? {};
  const refused = failed + bounced;
  const settled = refused + sent;
  if (settled < FEWEST_LETTERS || refused < FEWEST_REFUSED) return;
  if (refused <= settled * MOST_REFUSED_SHARE) return;
  await campaigns.updateCampaign(tx, id, {
    state: 'paused',
    paused_for: 'refusals',
    version: version + 1,
    updated_at: clock(),
  });
  await tell(tx, 'system', null, 'campaign.paused', campaign, { refused, sent });
}
