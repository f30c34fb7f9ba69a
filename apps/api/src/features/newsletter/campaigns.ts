/**
 * Writing campaigns, and how their letters read. The words can be changed only
 * while nothing of them is on its way; each save raises the version, so that two
 * who write see each other.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type {
  Campaign,
  CampaignNote,
  CampaignState,
  saveCampaign,
} from '@cambist/contract/campaigns';
import { isVisible } from '@cambist/contract/visible-text';
import { cleanedHtml } from '@cambist/html/clean';
import { textOf } from '@cambist/html/text';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { readTimeCursor, writeTimeCursor } from '#kernel/time-cursor.ts';
import { record } from '#features/audit/audit.ts';
import { getUser } from '#features/auth/auth.ts';
import { post, rendered, type LetterContent } from '#features/mail/mail.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { campaignEndLinkOf } from './links.ts';
import { letterBody } from './letter-body.ts';
import { letters } from './mails.ts';
import * as store from './campaign-store.ts';

export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;
type ReadDeps = Pick<Deps, 'db' | 'published' | 'config'>;

const PER_PAGE = 30;

export interface CampaignsQuery {
  readonly state?: CampaignState;
  readonly cursor?: string;
  readonly per_page?: number;
}

/** @throws {Refusal} 422 on `cursor` */
export async function listCampaigns(
  db: Db,
  { state, cursor, per_page = PER_PAGE }: CampaignsQuery,
) {
  const rows = await store.listCampaigns(db, {
    state,
    after: cursor === undefined ? null : readTimeCursor(cursor),
    limit: per_page + 1,
  });
  const page = rows.slice(0, per_page);
  const counts = await store.countsOf(
    db,
    page.map(({ id }) => id),
  );
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? writeTimeCursor({ at: last.created_at, id: last.id }) : null;
  return {
    data: page.map((row) => noteOf(row, counts.get(row.id))),
    meta: { next_cursor, per_page },
  };
}

/** @throws {Refusal} 404 */
export async function getCampaign(db: Db | Tx, id: Id): Promise<Campaign> {
  const row = await store.findCampaign(db, id);
  if (row === undefined) throw notFound();
  const counts = await store.countsOf(db, [id]);
  const { preview, body, saved_by: saved_by_id, saved_by_name: saved_by } = row;
  return { ...noteOf(row, counts.get(id)), preview, body, saved_by, saved_by_id };
}

/** An empty one, or one with the words of another. @throws {Refusal} 404 for that other */
export function createCampaign(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  { from }: { readonly from?: Id },
): Promise<Campaign> {
  return transaction(deps.db, async (tx) => {
    const model = from === undefined ? null : await getCampaign(tx, from);
    const id = newId();
    const now = deps.clock();
    await store.insertCampaign(tx, {
      id,
      subject: model?.subject ?? '',
      preview: model?.preview ?? '',
      body: model?.body ?? '',
      locale: model?.locale ?? null,
      paused_for: null,
      scheduled_at: null,
      started_at: null,
      done_at: null,
      recipients: null,
      cursor: null,
      written_at: null,
      created_by: actor.id,
      created_by_name: actor.name,
      saved_by: null,
      saved_by_name: null,
      created_at: now,
      updated_at: now,
    });
    const campaign = await getCampaign(tx, id);
    await tell(tx, actor, origin, 'campaign.created', campaign);
    return campaign;
  });
}

/** @throws {Refusal} 404; 409 `campaign_not_draft`, `version_conflict` */
export function saveWords(
  deps: WriteDeps,
  actor: Actor,
  id: Id,
  { version, ...content }: BodyOf<typeof saveCampaign>,
): Promise<Campaign & { removed: string[] }> {
  return transaction(deps.db, async (tx) => {
    await lockDraft(tx, id, version);
    const { html: body, removed } = cleanedHtml(content.body);
    await store.updateCampaign(tx, id, {
      ...content,
      subject: content.subject.trim(),
      preview: content.preview.trim(),
      body,
      version: version + 1,
      saved_by: actor.id,
      saved_by_name: actor.name,
      updated_at: deps.clock(),
    });
    await deps.published.changed(tx, wordsName(id));
    const campaign = await getCampaign(tx, id);
    return { ...campaign, removed };
  });
}

/** @throws {Refusal} 404; 409 `campaign_not_draft` */
export function deleteCampaign(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin,
  id: Id,
): Promise<void> {
  return transaction(deps.db, async (tx) => {
    await lockDraft(tx, id, null);
    const campaign = await getCampaign(tx, id);
    await store.deleteCampaign(tx, id);
    await tell(tx, actor, origin, 'campaign.deleted', campaign);
  });
}

/** A draft, at the version that was seen; null for any. */
export async function lockDraft(
  tx: Tx,
  id: Id,
  version: number | null,
): Promise<store.CampaignRow> {
  const row = await store.lockCampaign(tx, id);
  if (row === undefined) throw notFound();
  if (row.state !== 'draft') {
    throw new Refusal(409, 'campaign_not_draft', 'Only a draft can be changed.');
  }
  if (version !== null && row.version !== version) throw versionConflict();
  return row;
}

/** @throws {Refusal} 409 `campaign_unready` */
export function assertReady({ subject, body }: Pick<store.CampaignRow, 'subject' | 'body'>): void {
  if (isVisible(subject) && (isVisible(textOf(body)) || body.includes('<img'))) return;
  throw new Refusal(409, 'campaign_unready', 'A letter needs a subject and some words.');
}

/** The letter as it would be sent. @throws {Refusal} 404 */
export async function letterOf(deps: ReadDeps, id: Id) {
  const words = await campaignWords(deps, id);
  const frame = { recipient: 'reader@example.com', url: null, linkToken: 'preview' };
  return { subject: words.subject, ...(await rendered(deps, words, frame)) };
}

/** Sends it to whoever asks, now. @throws {Refusal} 404; 409 `campaign_unready` */
export async function sendTest(
  deps: Deps,
  actor: Actor,
  origin: Origin,
  id: Id,
): Promise<{ recipient: string }> {
  const campaign = await getCampaign(deps.db, id);
  assertReady(campaign);
  const { link: _ends, writtenBy: _list, ...words } = await campaignWords(deps, id);
  const { email, locale } = await getUser(deps, actor.id);
  await transaction(deps.db, async (tx) => {
    await post(deps, tx, {
      kind: 'campaign-test',
      to: { email, userId: actor.id, name: actor.name, locale, proved: true },
      content: letters.test(words),
      essential: true,
    });
    await tell(tx, actor, origin, 'campaign.tested', campaign);
  });
  return { recipient: email };
}

/** Everything of its letters but whose link ends them. Kept for the next letter. @throws {Refusal} 404 */
export function campaignWords({ db, published, config }: ReadDeps, id: Id): Promise<LetterContent> {
  return published.kept(wordsName(id), async () => {
    const row = await store.findCampaign(db, id);
    if (row === undefined) throw notFound();
    const body = await letterBody(db, config.frontendUrl, row.body);
    return letters.campaign({ ...row, body }, campaignEndLinkOf(id));
  });
}

const wordsName = (id: Id) => `campaign ${id}`;

export async function tell(
  tx: Tx,
  actor: Actor | 'system',
  origin: Origin | null,
  action: string,
  { id, subject }: Pick<Campaign, 'id' | 'subject'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await record(tx, {
    actor,
    origin,
    action,
    subject_kind: 'campaign',
    subject_id: id,
    data: { subject, ...data },
  });
}

function noteOf(row: store.CampaignRow, counts: store.Counts = {}): CampaignNote {
  const { queued = 0, sent = 0, failed = 0, bounced = 0, ended = 0 } = counts;
  const skipped = (counts['skipped'] ?? 0) + neverWritten(row, counts);
  return {
    id: row.id,
    subject: row.subject,
    state: row.state,
    paused_for: row.state === 'paused' && row.paused_for === 'refusals' ? 'refusals' : null,
    version: row.version,
    locale: row.locale,
    scheduled_at: row.scheduled_at?.toISOString() ?? null,
    started_at: row.started_at?.toISOString() ?? null,
    done_at: row.done_at?.toISOString() ?? null,
    recipients: row.recipients,
    counts: { queued, sent, failed, bounced, skipped, ended },
    created_by: row.created_by_name,
    updated_at: row.updated_at.toISOString(),
  };
}

/** Readers who were counted at the start and get no letter: they had left before it was written, or it was cancelled. */
function neverWritten(
  { state, recipients, written_at }: store.CampaignRow,
  { queued = 0, sent = 0, failed = 0, bounced = 0, skipped = 0 }: store.Counts,
): number {
  if (written_at === null && state !== 'sent' && state !== 'cancelled') return 0;
  return Math.max(0, (recipients ?? 0) - queued - sent - failed - bounced - skipped);
}
