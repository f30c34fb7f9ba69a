/** All SQL on campaigns and their emails: one for each campaign and subscriber, ever. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { CampaignNote, CampaignState } from '@cambist/contract/campaigns';
import type { SubscriberState } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { isAfter, type ListAsk } from '#platform/db/time-list.ts';
import type { CampaignsTable } from '#platform/db/tables.generated.ts';

export type CampaignRow = Selectable<CampaignsTable>;
type CampaignEmailState = 'queued' | 'sent' | 'failed' | 'skipped';

export type Counts = CampaignNote['counts'];

export async function insertCampaign(tx: Tx, campaign: Insertable<CampaignsTable>): Promise<void> {
  await tx.insertInto('campaigns').values(campaign).execute();
}

export async function findCampaign(db: Db | Tx, id: Id): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function lockCampaign(tx: Tx, id: Id): Promise<CampaignRow | undefined> {
  return tx.selectFrom('campaigns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** A newer version. */
export async function updateCampaign(
  tx: Tx,
  id: Id,
  updated_at: Date,
  change: Updateable<CampaignsTable>,
): Promise<void> {
  const version = sql<number>`version + 1`;
  await tx
    .updateTable('campaigns')
    .set({ ...change, version, updated_at })
    .where('id', '=', id)
    .execute();
}

export async function noteBatch(tx: Tx, id: Id, batch_at: Date): Promise<void> {
  await tx.updateTable('campaigns').set({ batch_at }).where('id', '=', id).execute();
}

export async function deleteCampaign(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('campaigns').where('id', '=', id).execute();
}

export async function listCampaigns(
  db: Db,
  { state, after, limit }: ListAsk<CampaignState>,
): Promise<CampaignRow[]> {
  return db
    .selectFrom('campaigns')
    .selectAll()
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'draft'))
    .where(isAfter(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** By campaign; one without emails is left out. */
export async function countEmails(db: Db | Tx, ids: readonly Id[]): Promise<Map<Id, Counts>> {
  const { rows } = await sql<Counts & { campaign_id: Id }>`
    select campaign_id,
      count(*) filter (where state = 'queued')::int as queued,
      count(*) filter (where state = 'sent')::int as sent,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'skipped')::int as skipped,
      count(unsubscribed_at)::int as unsubscribed
    from campaign_emails where campaign_id = any(${[...ids]}::uuid[]) group by campaign_id`.execute(
    db,
  );
  return new Map(rows.map(({ campaign_id, ...counts }) => [campaign_id, counts]));
}

/** Scheduled ones whose time has come. */
export async function listDue(db: Db, now: Date): Promise<Id[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('id')
    .where('state', '=', 'scheduled')
    .where('scheduled_at', '<=', now)
    .execute();
  return rows.map(({ id }) => id);
}

/** Queues an email for every confirmed subscriber, or for those of the language; answers how many. */
export async function insertEmails(
  tx: Tx,
  { id, locale }: Pick<CampaignRow, 'id' | 'locale'>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into campaign_emails (id, campaign_id, subscriber_id)
    select uuidv7(), ${id}, id from subscribers
    where state = 'confirmed' and (${locale}::text is null or locale = ${locale})`.execute(tx);
  return Number(numAffectedRows);
}

/** The campaign that started first and has emails to hand over; undefined when there is none. */
export async function lockNextToSend(tx: Tx): Promise<CampaignRow | undefined> {
  return tx
    .selectFrom('campaigns as c')
    .selectAll()
    .where('state', '=', 'sending')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('campaign_emails as e')
          .select('e.id')
          .whereRef('e.campaign_id', '=', 'c.id')
          .where('e.state', '=', 'queued')
          .where('e.handed_at', 'is', null),
      ),
    )
    .orderBy('started_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

/** When the last batch of any campaign was handed over. */
export async function findLastBatchTime(tx: Tx): Promise<Date | null> {
  const { at } = await tx
    .selectFrom('campaigns')
    .select(({ fn }) => fn.max('batch_at').as('at'))
    .executeTakeFirstOrThrow();
  return at;
}

/** Hands over the next emails of a campaign; answers which. */
export async function takeBatch(
  tx: Tx,
  campaignId: Id,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    update campaign_emails set handed_at = ${now} where id in (
      select id from campaign_emails
      where campaign_id = ${campaignId} and state = 'queued' and handed_at is null
      order by id limit ${limit} for update)
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface CampaignEmail {
  readonly state: CampaignEmailState;
  readonly handed_at: Date | null;
  readonly campaign_id: Id;
  readonly campaign_state: CampaignState;
  /** Null once the subscriber is deleted. */
  readonly subscriber_id: Id | null;
  readonly subscriber_state: SubscriberState | null;
  readonly recipient: string | null;
}

export async function findEmail(db: Db | Tx, id: Id): Promise<CampaignEmail | undefined> {
  return db
    .selectFrom('campaign_emails as e')
    .innerJoin('campaigns as c', 'c.id', 'e.campaign_id')
    .leftJoin('subscribers as s', 's.id', 'e.subscriber_id')
    .select(['e.state', 'e.handed_at', 'e.campaign_id', 'e.subscriber_id'])
    .select(['c.state as campaign_state', 's.state as subscriber_state', 's.email as recipient'])
    .where('e.id', '=', id)
    .executeTakeFirst();
}

export async function updateQueued(
  db: Db | Tx,
  id: Id,
  change: {
    readonly state?: CampaignEmailState;
    readonly answer?: string | null;
    readonly handed_at?: null;
  },
): Promise<void> {
  await db
    .updateTable('campaign_emails')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

/** Failed emails wait again, unless their subscriber has left or is undeliverable. */
export async function requeueFailed(tx: Tx, campaignId: Id): Promise<void> {
  await sql`
    update campaign_emails e set state = 'queued', handed_at = null, answer = null
    from subscribers s
    where e.campaign_id = ${campaignId} and e.state = 'failed'
      and s.id = e.subscriber_id and s.state = 'confirmed'`.execute(tx);
}

/** Ends the campaign when none of its emails waits; answers whether it did. */
export async function endIfDone(db: Db | Tx, id: Id, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('campaigns as c')
    .set({ state: 'sent', done_at: now, updated_at: now })
    .where('c.id', '=', id)
    .where('c.state', 'in', ['sending', 'stopped'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('campaign_emails as e')
            .select('e.id')
            .whereRef('e.campaign_id', '=', 'c.id')
            .where('e.state', '=', 'queued'),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Null for an email of no campaign, or of a deleted subscriber. */
export async function findSubscriberOf(db: Db, emailId: Id): Promise<Id | null> {
  const row = await db
    .selectFrom('campaign_emails')
    .select('subscriber_id')
    .where('id', '=', emailId)
    .executeTakeFirst();
  return row?.subscriber_id ?? null;
}

export async function noteUnsubscribed(tx: Tx, id: Id, unsubscribed_at: Date): Promise<void> {
  await tx.updateTable('campaign_emails').set({ unsubscribed_at }).where('id', '=', id).execute();
}

/** What the mail server said of the last email that failed. */
export async function findLastError(db: Db | Tx, campaignId: Id): Promise<string | null> {
  const row = await db
    .selectFrom('campaign_emails')
    .select('answer')
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.answer ?? null;
}
