/**
 * Sending campaigns. A start queues one email for each subscriber; a job hands over a batch of them
 * at a time, as many a minute as the settings say; and a job for each email sends it, unless its
 * subscriber has left or the campaign was stopped.
 */
import { isTooFarAhead, yearsAhead } from '@cambist/contract/schedule';
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  freshAbove,
  type Campaign,
  type CampaignAct,
  type CampaignState,
  type sendCampaign,
} from '@cambist/contract/campaigns';
import { bySystem, type By } from '#kernel/actor.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { sendToList } from '#features/email/email.ts';
import { read } from '#features/content/settings/settings.ts';
import { allowStatements, transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { requireFresh } from '#platform/http/guards.ts';
import type { JobQueue } from '#platform/jobs/jobs.ts';
import type { Session } from '#platform/security/sessions.ts';
import {
  assertReady,
  campaignContent,
  getCampaign,
  lockDraft,
  recordCampaign,
} from './campaigns.ts';
import * as store from './campaign-store.ts';
import { countLocales, lockSubscriber, updateSubscriber } from './store.ts';

/** The job that hands over the next batch. */
export const CAMPAIGN_BATCHES = 'campaign-batches';
/** The jobs of single emails. */
export const CAMPAIGN_EMAILS = 'campaign-emails';

type SendDeps = Pick<Deps, 'db' | 'clock' | 'jobs'>;

const BATCHES_A_MINUTE = 6;
/** For the rows of 100,000 subscribers. */
const INSERT_TIMEOUT_MS = MINUTE;
/** With pg-boss's growing waits about an hour and a half. */
const ATTEMPTS = 10;
/** Of so many emails so large a share refused is no accident: the server or the list is at fault. */
const REFUSALS = { emails: 20, failed: 5, share: 0.1 };

/** How many subscribers a campaign would reach. */
export async function audience(deps: Pick<Deps, 'db' | 'published'>) {
  const locales = await countLocales(deps.db);
  const { campaign_emails_per_minute: per_minute } = await read(deps, 'mail');
  return { all: locales.reduce((sum, { count }) => sum + count, 0), locales, per_minute };
}

/**
 * Sends a draft, now or at a time.
 * @throws {Refusal} 404; 403 `confirmation_required`; 422 on `send_at`; 409 `campaign_not_draft`,
 *   `version_conflict`, `campaign_unready`, `recipients_changed`
 */
export function send(
  deps: SendDeps,
  { session, ...by }: By & { readonly session: Session | null },
  id: Id,
  { version, send_at, recipients }: BodyOf<typeof sendCampaign>,
): Promise<Campaign> {
  const now = deps.clock();
  const scheduled_at = plannedTime(send_at, now);
  return transaction(deps.db, async (tx) => {
    const row = await lockDraft(tx, id, version);
    assertReady(row);
    const count = (await countLocales(tx))
      .filter(({ locale }) => row.locale === null || locale === row.locale)
      .reduce((sum, each) => sum + each.count, 0);
    if (count === 0) throw new Refusal(409, 'campaign_unready', 'There are no subscribers.');
    // The admin has agreed to a number of people.
    if (count > recipients) {
      throw new Refusal(409, 'recipients_changed', `It would now be sent to ${count} subscribers.`);
    }
    if (count > freshAbove) requireFresh(session, now);
    if (scheduled_at === null) {
      await start(deps, tx, row);
      await recordCampaign(tx, by, 'campaign.started', row, { recipients: count });
    } else {
      await store.updateCampaign(tx, id, now, { state: 'scheduled', scheduled_at });
      const data = { recipients: count, send_at: scheduled_at.toISOString() };
      await recordCampaign(tx, by, 'campaign.scheduled', row, data);
    }
    return getCampaign(tx, id);
  });
}

function plannedTime(send_at: string | null, now: Date): Date | null {
  if (send_at === null) return null;
  const at = new Date(send_at);
  if (at <= now) throw invalid({ send_at: 'The time must be in the future.' });
  if (isTooFarAhead(at, now)) {
    throw invalid({ send_at: `Choose a time within the next ${yearsAhead} years.` });
  }
  return at;
}

async function start(deps: SendDeps, tx: Tx, row: store.CampaignRow): Promise<void> {
  const now = deps.clock();
  await allowStatements(tx, INSERT_TIMEOUT_MS);
  const recipients = await store.insertEmails(tx, row);
  const change = { state: 'sending', scheduled_at: null, started_at: now, recipients } as const;
  await store.updateCampaign(tx, row.id, now, change);
  await requestBatch(deps, tx);
  // A scheduled one may have lost all its subscribers.
  await store.endIfDone(tx, row.id, now);
}

/** Starts scheduled campaigns whose time has come; answers how many. */
export async function startDue(deps: SendDeps, now: Date): Promise<number> {
  let started = 0;
  for (const id of await store.listDue(deps.db, now)) {
    started += await transaction(deps.db, async (tx) => {
      const row = await store.lockCampaign(tx, id);
      if (row?.state !== 'scheduled' || row.scheduled_at === null || row.scheduled_at > now) {
        return 0;
      }
      await start(deps, tx, row);
      await recordCampaign(tx, bySystem, 'campaign.started', row);
      return 1;
    });
  }
  return started;
}

const ACTS: Readonly<
  Record<CampaignAct, { from: CampaignState[]; to: CampaignState; action: string }>
> = {
  unschedule: { from: ['scheduled'], to: 'draft', action: 'campaign.unscheduled' },
  stop: { from: ['sending'], to: 'stopped', action: 'campaign.stopped' },
  resume: { from: ['stopped', 'sent'], to: 'sending', action: 'campaign.resumed' },
};

/** A campaign that is in the wanted state already is left as it is. @throws {Refusal} 404; 409 `campaign_state_changed` */
export function change(deps: SendDeps, by: By, id: Id, act: CampaignAct): Promise<Campaign> {
  const { from, to, action } = ACTS[act];
  return transaction(deps.db, async (tx) => {
    const row = await store.lockCampaign(tx, id);
    if (row === undefined) throw notFound();
    if (row.state === to) return getCampaign(tx, id);
    if (!from.includes(row.state)) {
      throw new Refusal(409, 'campaign_state_changed', 'The campaign is no longer in this state.');
    }
    const now = deps.clock();
    await store.updateCampaign(tx, id, now, { state: to, scheduled_at: null, done_at: null });
    if (act === 'resume') {
      await store.requeueFailed(tx, id);
      await requestBatch(deps, tx);
      await store.endIfDone(tx, id, now);
    }
    await recordCampaign(tx, by, action, row);
    return getCampaign(tx, id);
  });
}

/** The next batch, as soon as `tx` has committed or when its time has come. */
export async function requestBatch(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  startAfter?: Date,
): Promise<void> {
  const options = { key: 'next', ...(startAfter ? { startAfter } : {}) };
  await jobs.enqueue(tx, CAMPAIGN_BATCHES, {}, options);
}

/** Hands over one batch and requests the next. The campaign's lock keeps all processes to one rate. */
export async function handOverBatch(deps: Deps): Promise<void> {
  const { campaign_emails_per_minute: perMinute } = await read(deps, 'mail');
  const limit = Math.max(1, Math.floor(perMinute / BATCHES_A_MINUTE));
  const intervalMs = (limit * MINUTE) / perMinute;
  await transaction(deps.db, async (tx) => {
    const campaign = await store.lockNextToSend(tx);
    if (campaign === undefined) return;
    const now = deps.clock();
    const last = await store.findLastBatchTime(tx);
    const next = last === null ? now : new Date(last.getTime() + intervalMs);
    // Requested early, as by the start of another campaign. A clock may be a little ahead.
    if (next.getTime() - now.getTime() > SECOND / 2) return requestBatch(deps, tx, next);
    const ids = await store.takeBatch(tx, campaign.id, { limit, now });
    await deps.jobs.enqueueAll(
      tx,
      CAMPAIGN_EMAILS,
      ids.map((id) => ({ key: id, data: { id } })),
    );
    await store.noteBatch(tx, campaign.id, now);
    await requestBatch(deps, tx, new Date(now.getTime() + intervalMs));
  });
}

export function campaignEmailQueue(deps: Deps): JobQueue {
  const idOf = (data: unknown) => (data as { id: Id }).id;
  return {
    attempts: ATTEMPTS,
    handler: (data) => sendCampaignEmail(deps, idOf(data)),
    onFailed: (data) => settle(deps, idOf(data), { state: 'failed' }),
  };
}

/** Sends one email; may be called more than once. @throws {Error} to be retried */
async function sendCampaignEmail(deps: Deps, id: Id): Promise<void> {
  const email = await store.findEmail(deps.db, id);
  if (email?.state !== 'queued') return;
  if (email.campaign_state !== 'sending') {
    // It is handed over again when the campaign is resumed.
    await store.updateQueued(deps.db, id, { handed_at: null });
    return;
  }
  if (email.recipient === null || email.subscriber_state !== 'confirmed') {
    return settle(deps, id, { state: 'skipped' });
  }
  const result = await sendToList(deps, {
    id,
    to: email.recipient,
    at: email.handed_at ?? deps.clock(),
    content: await campaignContent(deps, email.campaign_id, id),
  });
  if (result.outcome === 'sent') return settle(deps, id, { state: 'sent', answer: null });
  const { outcome, answer } = result;
  if (outcome === 'again') {
    await store.updateQueued(deps.db, id, { answer });
    throw new Error(answer);
  }
  await settle(deps, id, { state: 'failed', answer, isUndeliverable: outcome === 'undeliverable' });
}

/** Notes what became of an email, and what follows for its subscriber and its campaign. */
async function settle(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: Id,
  {
    isUndeliverable = false,
    ...change
  }: {
    readonly state: 'sent' | 'failed' | 'skipped';
    readonly answer?: string | null;
    readonly isUndeliverable?: boolean;
  },
): Promise<void> {
  const now = clock();
  await transaction(db, async (tx) => {
    const { campaign_id } = (await store.findEmail(tx, id)) ?? {};
    // One at a time, or of the last two neither would see that it is the last.
    if (campaign_id !== undefined) await store.lockCampaign(tx, campaign_id);
    const email = await store.findEmail(tx, id);
    if (email?.state !== 'queued') return;
    const { subscriber_id } = email;
    if (isUndeliverable && subscriber_id !== null) {
      const subscriber = await lockSubscriber(tx, subscriber_id);
      const bounce = { state: 'bounced', bounced_at: now, bounce_answer: change.answer } as const;
      if (subscriber?.state === 'confirmed') await updateSubscriber(tx, subscriber_id, bounce);
    }
    await store.updateQueued(tx, id, change);
    if (change.state === 'failed') await stopWhenRefused(tx, email.campaign_id, now);
    await store.endIfDone(tx, email.campaign_id, now);
  });
}

/** Once: an admin who resumes the campaign has seen why it was stopped. */
async function stopWhenRefused(tx: Tx, id: Id, now: Date): Promise<void> {
  const campaign = await store.lockCampaign(tx, id);
  if (campaign?.state !== 'sending' || campaign.refusals_seen_at !== null) return;
  const { sent, failed } = (await store.countEmails(tx, [id])).get(id) ?? { sent: 0, failed: 0 };
  const settled = sent + failed;
  if (settled < REFUSALS.emails || failed < REFUSALS.failed) return;
  if (failed <= settled * REFUSALS.share) return;
  await store.updateCampaign(tx, id, now, { state: 'stopped', refusals_seen_at: now });
  await recordCampaign(tx, bySystem, 'campaign.stopped', campaign, { failed, sent });
}
