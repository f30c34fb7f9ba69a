/**
 * Writing campaigns. The content changes only while the campaign is a draft; each save raises the
 * version, and a save of an older version is refused.
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
import type { By, ByAnyone } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { getUser } from '#features/auth/users.ts';
import { enqueueEmail, previewEmail, type EmailContent } from '#features/email/email.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import type { Deps } from '#platform/deps.ts';
import { emails } from './emails.ts';
import { emailBody } from './email-body.ts';
import * as store from './campaign-store.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;
type ReadDeps = Pick<Deps, 'db' | 'published' | 'config'>;

const PER_PAGE = 30;

/** @throws {Refusal} 422 on `cursor` */
export async function listCampaigns(db: Db, query: ListQuery<CampaignState>) {
  const ask = askOf({ per_page: PER_PAGE, ...query });
  const rows = await store.listCampaigns(db, ask);
  const { page, meta } = pageOf(rows, ask, (row) => row.created_at);
  const counts = await store.countEmails(
    db,
    page.map(({ id }) => id),
  );
  return { data: page.map((row) => noteOf(row, counts.get(row.id))), meta };
}

/** @throws {Refusal} 404 */
export async function getCampaign(db: Db | Tx, id: Id): Promise<Campaign> {
  const row = await store.findCampaign(db, id);
  if (row === undefined) throw notFound();
  const counts = await store.countEmails(db, [id]);
  const last_error = await store.findLastError(db, id);
  return { ...noteOf(row, counts.get(id)), preview: row.preview, body: row.body, last_error };
}

/** Empty, or a copy of another one. @throws {Refusal} 404 for that other */
export function createCampaign(
  deps: WriteDeps,
  by: By,
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
      created_by: by.actor.id,
      created_by_name: by.actor.name,
      created_at: now,
      updated_at: now,
    });
    const campaign = await getCampaign(tx, id);
    await recordCampaign(tx, by, 'campaign.created', campaign);
    return campaign;
  });
}

/** @throws {Refusal} 404; 409 `campaign_not_draft`, `version_conflict` */
export function saveContent(
  deps: WriteDeps,
  id: Id,
  { version, ...content }: BodyOf<typeof saveCampaign>,
): Promise<Campaign & { removed: string[] }> {
  return transaction(deps.db, async (tx) => {
    await lockDraft(tx, id, version);
    const { html: body, removed } = cleanedHtml(content.body);
    await store.updateCampaign(tx, id, deps.clock(), {
      ...content,
      subject: content.subject.trim(),
      preview: content.preview.trim(),
      body,
    });
    await deps.published.changed(tx, cacheName(id));
    const campaign = await getCampaign(tx, id);
    return { ...campaign, removed };
  });
}

/** @throws {Refusal} 404; 409 `campaign_not_draft` */
export function deleteCampaign(deps: WriteDeps, by: By, id: Id): Promise<void> {
  return transaction(deps.db, async (tx) => {
    await lockDraft(tx, id, null);
    const campaign = await getCampaign(tx, id);
    await store.deleteCampaign(tx, id);
    await recordCampaign(tx, by, 'campaign.deleted', campaign);
  });
}

/** A draft of this version; null for any. @throws {Refusal} 404; 409 */
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
  throw new Refusal(409, 'campaign_unready', 'An email needs a subject and a text.');
}

/** The email as it would be sent. @throws {Refusal} 404 */
export async function previewCampaign(deps: ReadDeps, id: Id) {
  const content = await campaignContent(deps, id, id);
  return { subject: content.subject, ...(await previewEmail(deps, content)) };
}

/** Sends it to the admin who asks, now. @throws {Refusal} 404; 409 `campaign_unready` */
export async function sendTest(deps: Deps, by: By, id: Id): Promise<{ recipient: string }> {
  const campaign = await getCampaign(deps.db, id);
  assertReady(campaign);
  const content = emails.test(await campaignContent(deps, id, id));
  const { email, locale } = await getUser(deps, by.actor.id);
  await transaction(deps.db, async (tx) => {
    await enqueueEmail(deps, tx, {
      kind: 'campaign-test',
      to: { email, userId: by.actor.id, name: by.actor.name, locale, proved: true },
      content,
      essential: true,
    });
    await recordCampaign(tx, by, 'campaign.tested', campaign);
  });
  return { recipient: email };
}

/** What one recipient gets; all but the unsubscribe link is cached. @throws {Refusal} 404 */
export async function campaignContent(
  { db, published, config }: ReadDeps,
  id: Id,
  emailId: Id,
): Promise<EmailContent> {
  const shared = await published.cached(cacheName(id), async () => {
    const row = await store.findCampaign(db, id);
    if (row === undefined) throw notFound();
    const { subject, preview, locale } = row;
    return { subject, preview, locale, body: await emailBody(db, config.frontendUrl, row.body) };
  });
  return emails.campaign(shared, emailId);
}

const cacheName = (id: Id) => `campaign ${id}`;

export async function recordCampaign(
  tx: Tx,
  by: ByAnyone,
  action: string,
  { id, subject }: Pick<Campaign, 'id' | 'subject'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await record(tx, {
    ...by,
    action,
    subject_kind: 'campaign',
    subject_id: id,
    data: { subject, ...data },
  });
}

const NO_EMAILS: store.Counts = { queued: 0, sent: 0, failed: 0, skipped: 0, unsubscribed: 0 };

function noteOf(row: store.CampaignRow, counts = NO_EMAILS): CampaignNote {
  return {
    id: row.id,
    subject: row.subject,
    state: row.state,
    stopped_by_refusals: row.state === 'stopped' && row.refusals_seen_at !== null,
    version: row.version,
    locale: row.locale,
    scheduled_at: row.scheduled_at?.toISOString() ?? null,
    started_at: row.started_at?.toISOString() ?? null,
    done_at: row.done_at?.toISOString() ?? null,
    recipients: row.recipients,
    counts,
    created_by: row.created_by_name,
    updated_at: row.updated_at.toISOString(),
  };
}
