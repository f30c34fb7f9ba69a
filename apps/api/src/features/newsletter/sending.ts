/**
 * What starts a campaign and what stops it. A start only says so in the campaign's
 * row: its letters are written by `pace.ts`, a few at a time. What is stopped stops
 * at once, since each letter asks again when it is sent.
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
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { requireFresh } from '#platform/guards.ts';
import type { Session } from '#platform/sessions.ts';
import { assertReady, getCampaign, lockDraft, tell } from './campaigns.ts';
import * as store from './campaign-store.ts';
import { askForLetters } from './pace.ts';
import { countFor } from './newsletter.ts';
import { countLocales } from './store.ts';
import { askToWake } from './waking.ts';

type SendDeps = Pick<Deps, 'db' | 'clock' | 'jobs'>;

/** Whom a campaign would reach now. */
export async function audience(deps: Pick<Deps, 'db' | 'published'>) {
  const locales = await countLocales(deps.db);
  const all = locales.reduce((sum, { count }) => sum + count, 0);
  const { campaign_letters_per_minute: per_minute } = await read(deps, 'mail');
  return { all, locales, per_minute };
}

/**
 * Sends a draft, now or at its time.
 * @throws {Refusal} 404; 403 `confirmation_required`; 422 on `send_at`; 409
 *   `campaign_not_draft`, `version_conflict`, `campaign_unready`, `recipients_changed`
 */
export function send(
  deps: SendDeps,
  actor: Actor,
  { origin, session }: { readonly origin: Origin; readonly session: Session | null },
  id: Id,
  { version, send_at, recipients }: BodyOf<typeof sendCampaign>,
): Promise<Campaign> {
  const now = deps.clock();
  const scheduled_at = send_at === null ? null : new Date(send_at);
  if (scheduled_at !== null && scheduled_at <= now) {
    throw invalid({ send_at: 'The time must be one to come.' });
  }
  if (scheduled_at !== null && isTooFarAhead(scheduled_at, now)) {
    throw invalid({ send_at: `Choose a time within the next ${yearsAhead} years.` });
  }
  return transaction(deps.db, async (tx) => {
    const row = await lockDraft(tx, id, version);
    assertReady(row);
    const count = await countFor(tx, row.locale);
    if (count === 0) throw new Refusal(409, 'campaign_unready', 'Nobody would get this letter.');
    // Nobody gets a letter whom the one who agreed was not told of.
    if (count > recipients) {
      throw new Refusal(409, 'recipients_changed', `It would go to ${count} people by now.`);
    }
    if (count > freshAbove) requireFresh(session, now);
    if (scheduled_at === null) {
      await start(deps, tx, row, count);
      await tell(tx, actor, origin, 'campaign.started', row, { recipients: count });
    } else {
      const change = { state: 'scheduled' as const, scheduled_at, updated_at: now };
      await store.updateCampaign(tx, id, { ...change, version: version + 1 });
      const data = { recipients: count, send_at: scheduled_at.toISOString() };
      await tell(tx, actor, origin, 'campaign.scheduled', row, data);
    }
    return getCampaign(tx, id);
  });
}

async function start(
  deps: SendDeps,
  tx: Tx,
  row: store.CampaignRow,
  recipients: number,
): Promise<void> {
  const now = deps.clock();
  await store.updateCampaign(tx, row.id, {
    state: 'sending',
    scheduled_at: null,
    started_at: now,
    recipients,
    version: row.version + 1,
    updated_at: now,
  });
  await askForLetters(deps, tx);
}

/** Starts what is due; answers how many. */
export async function startDue(deps: SendDeps, now: Date): Promise<number> {
  let started = 0;
  for (const id of await store.listDue(deps.db, now)) {
    started += await transaction(deps.db, async (tx) => {
      const row = await store.lockCampaign(tx, id);
      if (row?.state !== 'scheduled' || row.scheduled_at === null || row.scheduled_at > now)
        return 0;
      await start(deps, tx, row, await countFor(tx, row.locale));
      await tell(tx, 'system', null, 'campaign.started', row);
      return 1;
    });
  }
  return started;
}

const from: Readonly<Record<CampaignAct, readonly CampaignState[]>> = {
  unschedule: ['scheduled'],
  pause: ['sending'],
  resume: ['paused'],
  cancel: ['sending', 'paused'],
};
const to: Readonly<Record<CampaignAct, CampaignState>> = {
  unschedule: 'draft',
  pause: 'paused',
  resume: 'sending',
  cancel: 'cancelled',
};
const told: Readonly<Record<CampaignAct, string>> = {
  unschedule: 'campaign.unscheduled',
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  cancel: 'campaign.cancelled',
};

/** Where it stands already nothing is done; with nobody left to be written to it is sent. @throws {Refusal} 404; 409 `campaign_elsewhere` */
export function change(
  deps: SendDeps,
  actor: Actor,
  origin: Origin,
  id: Id,
  act: CampaignAct,
): Promise<Campaign> {
  return transaction(deps.db, async (tx) => {
    const row = await store.lockCampaign(tx, id);
    if (row === undefined) throw notFound();
    const state = to[act];
    if (row.state === state && act !== 'unschedule') return getCampaign(tx, id);
    if (!from[act].includes(row.state)) {
      throw new Refusal(409, 'campaign_elsewhere', 'The campaign is not where this can be done.');
    }
    const now = deps.clock();
    // Between two batches nobody has said so yet.
    if (await store.endCampaign(tx, id, now)) return getCampaign(tx, id);
    await store.updateCampaign(tx, id, {
      state,
      scheduled_at: null,
      version: row.version + 1,
      updated_at: now,
      ...(act === 'cancel' ? { done_at: now } : {}),
      // Whoever acts has seen why it stopped; what stops it later is they.
      ...(row.paused_for === null ? {} : { paused_for: 'seen' as const }),
    });
    if (act === 'resume') await askForLetters(deps, tx);
    if (act === 'resume' || act === 'cancel') await askToWake(deps, tx, id);
    await tell(tx, actor, origin, told[act], row);
    return getCampaign(tx, id);
  });
}
