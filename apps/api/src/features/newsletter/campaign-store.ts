/** All SQL on campaigns, and on whom the next of their letters goes to. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { CampaignState } from '@cambist/contract/campaigns';
import type { Id } from '#kernel/id.ts';
import type { TimePlace } from '#kernel/time-cursor.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { CampaignsTable } from '#platform/tables.generated.ts';

export type CampaignRow = Selectable<CampaignsTable>;
export type Counts = Partial<Record<string, number>>;

export async function insertCampaign(tx: Tx, campaign: Insertable<CampaignsTable>): Promise<void> {
  await tx.insertInto('campaigns').values(campaign).execute();
}

export async function findCampaign(db: Db | Tx, id: Id): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function lockCampaign(tx: Tx, id: Id): Promise<CampaignRow | undefined> {
  return tx.selectFrom('campaigns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function updateCampaign(
  tx: Tx,
  id: Id,
  change: Updateable<CampaignsTable>,
): Promise<void> {
  await tx.updateTable('campaigns').set(change).where('id', '=', id).execute();
}

export async function deleteCampaign(tx: Tx, id: Id): Promise<void> {
  await tx.deleteFrom('campaigns').where('id', '=', id).execute();
}

export interface CampaignsAsk {
  readonly state: CampaignState | undefined;
  readonly after: TimePlace | null;
  readonly limit: number;
}

export async function listCampaigns(
  db: Db,
  { state, after, limit }: CampaignsAsk,
): Promise<CampaignRow[]> {
  return db
    .selectFrom('campaigns')
    .selectAll()
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'draft'))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.at}, ${after?.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Kept by the database as letters change; by campaign. */
export async function countsOf(db: Db | Tx, ids: readonly Id[]): Promise<Map<Id, Counts>> {
  const found = new Map<Id, Counts>();
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom('campaign_counts')
    .selectAll()
    .where('campaign_id', 'in', [...ids])
    .execute();
  for (const { campaign_id, state, count } of rows) {
    found.set(campaign_id, { ...found.get(campaign_id), [state]: count });
  }
  return found;
}

/** Whose time has come. */
export async function listDue(db: Db, now: Date): Promise<Id[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('id')
    .where('state', '=', 'scheduled')
    .where('scheduled_at', '<=', now)
    .execute();
  return rows.map(({ id }) => id);
}

/** When letters were last handed to the outbox; whoever holds it is the only one who does. */
export async function lockPace(tx: Tx): Promise<Date> {
  const { handed_at } = await tx
    .selectFrom('campaign_pace')
    .select('handed_at')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return handed_at;
}

export async function updatePace(tx: Tx, handed_at: Date): Promise<void> {
  await tx.updateTable('campaign_pace').set({ handed_at }).execute();
}

/** The one that began first and is not through its readers. */
export async function lockNextToWrite(tx: Tx): Promise<CampaignRow | undefined> {
  return tx
    .selectFrom('campaigns')
    .selectAll()
    .where('state', '=', 'sending')
    .where('written_at', 'is', null)
    .orderBy('started_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export interface Reader {
  readonly id: Id;
  readonly email: string;
  readonly locale: string;
}

/** The next who were confirmed when it started and have no letter of it yet, by id. */
export async function listReaders(
  db: Db | Tx,
  { id, cursor, locale, started_at }: Pick<CampaignRow, 'id' | 'cursor' | 'locale' | 'started_at'>,
  limit: number,
): Promise<Reader[]> {
  return db
    .selectFrom('subscribers')
    .select(['id', 'email', 'locale'])
    .where('state', '=', 'confirmed')
    .$if(cursor !== null, (query) => query.where('id', '>', cursor ?? ''))
    .$if(locale !== null, (query) => query.where('locale', '=', locale ?? ''))
    .where('confirmed_at', '<=', started_at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('campaign_letters as letter')
            .select('letter.id')
            .where('letter.campaign_id', '=', id)
            .whereRef('letter.subscriber_id', '=', 'subscribers.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Its letters by now, also to readers who were deleted since. */
export async function countWritten(tx: Tx, campaignId: Id): Promise<number> {
  const row = await tx
    .selectFrom('campaign_counts')
    .select(sql<number>`coalesce(sum(count), 0)::integer`.as('written'))
    .where('campaign_id', '=', campaignId)
    .where('state', '<>', 'ended')
    .executeTakeFirstOrThrow();
  return row.written;
}

/** Those with nobody left to be written to. What refusals stopped waits for somebody who has seen it. */
export async function endCampaigns(tx: Tx, done_at: Date): Promise<void> {
  await ending(tx, done_at)
    .where(({ and, eb, or }) =>
      or([
        eb('state', '=', 'sending'),
        and([eb('state', '=', 'paused'), eb('paused_for', 'is distinct from', 'refusals')]),
      ]),
    )
    .execute();
}

/** The same of one, whatever stopped it; answers whether it was so. */
export async function endCampaign(tx: Tx, id: Id, done_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await ending(tx, done_at)
    .where('id', '=', id)
    .where('state', 'in', ['sending', 'paused'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Their readers all have a letter, and their every letter has come to an end. */
const isOver = sql<boolean>`((written_at is not null or recipients <= (
    select sum(n.count) from campaign_counts n
    where n.campaign_id = campaigns.id and n.state <> 'ended'))
  and not exists (select from campaign_letters l
    where l.campaign_id = campaigns.id and l.state = 'queued'))`;

function ending(tx: Tx, done_at: Date) {
  return tx
    .updateTable('campaigns')
    .set({ state: 'sent', done_at, updated_at: done_at })
    .where(isOver);
}

/** Whether nobody is left to be written to. */
export async function findOver(tx: Tx, id: Id): Promise<boolean> {
  const query = tx.selectFrom('campaigns').select('id').where('id', '=', id).where(isOver);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Whether any goes on: its readers, or letters that wait for another attempt. */
export async function isAnySending(tx: Tx): Promise<boolean> {
  const row = await tx
    .selectFrom('campaigns')
    .select('id')
    .where('state', '=', 'sending')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
