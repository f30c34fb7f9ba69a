/** All SQL on the letters of campaigns: one for each campaign and subscriber, ever. */
import { sql } from 'kysely';
import type { CampaignState } from '@cambist/contract/campaigns';
import type { SubscriberState } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { CampaignCountsTable } from '#platform/tables.generated.ts';

type CampaignLetterState = Exclude<CampaignCountsTable['state'], 'ended'>;

/** The kind of these letters, and the queue of their own that they wait in. */
export const CAMPAIGN = 'campaign';
export const CAMPAIGN_LETTERS = 'campaign-letters';

export interface NewLetter {
  readonly id: Id;
  readonly subscriber_id: Id;
}

/** Those that were not written before. */
export async function insertLetters(
  tx: Tx,
  campaignId: Id,
  letters: readonly NewLetter[],
): Promise<Set<Id>> {
  if (letters.length === 0) return new Set();
  const rows = await tx
    .insertInto('campaign_letters')
    .values(letters.map((letter) => ({ ...letter, campaign_id: campaignId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export interface LetterStanding {
  readonly state: CampaignLetterState;
  readonly campaign_id: Id;
  readonly subscriber_id: Id;
  readonly campaign_state: CampaignState;
  /** Letters of its campaign that a server did not take. */
  readonly campaign_refused: number;
  readonly subscriber_state: SubscriberState;
}

export async function findLetter(db: Db | Tx, id: Id): Promise<LetterStanding | undefined> {
  return db
    .selectFrom('campaign_letters as l')
    .innerJoin('campaigns as c', 'c.id', 'l.campaign_id')
    .innerJoin('subscribers as s', 's.id', 'l.subscriber_id')
    .select(['l.state', 'l.campaign_id', 'l.subscriber_id'])
    .select('c.state as campaign_state')
    .select('s.state as subscriber_state')
    .select(
      sql<number>`(
        select coalesce(sum(n.count), 0)::integer from campaign_counts n
        where n.campaign_id = c.id and n.state in ('failed', 'bounced')
      )`.as('campaign_refused'),
    )
    .where('l.id', '=', id)
    .executeTakeFirst();
}

/** Null for a letter that nobody wrote, or whose reader was deleted. */
export async function findReader(db: Db, letterId: Id): Promise<Id | null> {
  const row = await db
    .selectFrom('campaign_letters')
    .select('subscriber_id')
    .where('id', '=', letterId)
    .executeTakeFirst();
  return row?.subscriber_id ?? null;
}

export async function updateLetter(tx: Tx, id: Id, state: CampaignLetterState): Promise<void> {
  await tx.updateTable('campaign_letters').set({ state }).where('id', '=', id).execute();
}

/** They are not sent any more, unless they were. */
export async function skipLetters(tx: Tx, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('campaign_letters')
    .set({ state: 'skipped' })
    .where('id', 'in', [...ids])
    .where('state', '=', 'queued')
    .execute();
}

/** Its reader ended the newsletter by it. */
export async function noteEnd(tx: Tx, id: Id, ended_at: Date): Promise<void> {
  await tx.updateTable('campaign_letters').set({ ended_at }).where('id', '=', id).execute();
}

/** What waits for somebody who leaves, or is deleted, is not sent any more; answers which. */
export async function skipLettersTo(tx: Tx, subscriberId: Id): Promise<Id[]> {
  const rows = await tx
    .updateTable('campaign_letters')
    .set({ state: 'skipped' })
    .where('subscriber_id', '=', subscriberId)
    .where('state', '=', 'queued')
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Letters in the outbox whose first try has not begun or not ended, of campaigns that go on, and not set aside; counted up to `most`. */
export async function countUnanswered(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from campaign_letters l
      join campaigns c on c.id = l.campaign_id and c.state = 'sending'
      join letters o on o.id = l.id and o.state = 'waiting' and o.last_error is null
        and o.next_attempt_at is not null
      where l.state = 'queued' limit ${most}) as unanswered`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The first by id that were set aside, of campaigns that go on. */
export async function listSetAside(tx: Tx, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select l.id from campaign_letters l
    join campaigns c on c.id = l.campaign_id and c.state = 'sending'
    join letters o on o.id = l.id and o.state = 'waiting' and o.next_attempt_at is null
    where l.state = 'queued' order by l.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Letters of campaigns that a server has taken since. */
export async function countSent(tx: Tx, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from letters
    where queue = ${CAMPAIGN_LETTERS} and sent_at > ${since}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The next by id. */
export async function listQueued(
  tx: Tx,
  campaignId: Id,
  { after, limit }: { readonly after: Id; readonly limit: number },
): Promise<Id[]> {
  const rows = await tx
    .selectFrom('campaign_letters')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('state', '=', 'queued')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export interface RefusedLetterRow {
  readonly id: Id;
  readonly recipient: string;
  readonly state: 'failed' | 'bounced';
  readonly answer: string | null;
  readonly at: Date | null;
}

/** The next by id that came to nothing; whose reader was deleted is not among them. */
export async function listRefused(
  db: Db,
  campaignId: Id,
  { after, limit }: { readonly after: Id | null; readonly limit: number },
): Promise<RefusedLetterRow[]> {
  return db
    .selectFrom('campaign_letters as l')
    .innerJoin('subscribers as s', 's.id', 'l.subscriber_id')
    .leftJoin('letters as o', 'o.id', 'l.id')
    .select(['l.id', 'l.state', 's.email as recipient'])
    .select(['o.last_error as answer', 'o.created_at as at'])
    .where('l.campaign_id', '=', campaignId)
    .where('l.state', 'in', ['failed', 'bounced'])
    .$if(after !== null, (query) => query.where('l.id', '>', after ?? ''))
    .orderBy('l.id')
    .limit(limit)
    .$narrowType<{ state: 'failed' | 'bounced' }>()
    .execute();
}

/** The next by id in the outbox whose time came before `due`; those of a paused campaign wait rightly. */
export async function listOverdue(
  tx: Tx,
  { after, limit, due }: { readonly after: Id; readonly limit: number; readonly due: Date },
): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select o.id from letters o
    where o.state = 'waiting' and o.queue = ${CAMPAIGN_LETTERS} and o.next_attempt_at < ${due}
      and o.id > ${after} and not exists (
        select from campaign_letters l join campaigns c on c.id = l.campaign_id
        where l.id = o.id and c.state = 'paused')
    order by o.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}
