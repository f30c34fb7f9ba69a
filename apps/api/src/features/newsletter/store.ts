/** All SQL on subscribers. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { SubscriberState } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { ListAsk } from '#platform/db/time-list.ts';
import type { SubscribersTable } from '#platform/db/tables.generated.ts';

export type SubscriberRow = Selectable<SubscribersTable>;

const byEmail = (email: string) => sql<boolean>`lower(email) = ${email.toLowerCase()}`;

/** Undefined when the address is there already. */
export async function insertSubscriber(
  tx: Tx,
  subscriber: Insertable<SubscribersTable>,
): Promise<SubscriberRow | undefined> {
  return tx
    .insertInto('subscribers')
    .values(subscriber)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function lockByEmail(tx: Tx, email: string): Promise<SubscriberRow | undefined> {
  return tx
    .selectFrom('subscribers')
    .selectAll()
    .where(byEmail(email))
    .forUpdate()
    .executeTakeFirst();
}

export async function findSubscriber(db: Db | Tx, id: Id): Promise<SubscriberRow | undefined> {
  return db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function lockSubscriber(tx: Tx, id: Id): Promise<SubscriberRow | undefined> {
  return tx
    .selectFrom('subscribers')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateSubscriber(
  tx: Tx,
  id: Id,
  change: Updateable<SubscribersTable>,
): Promise<void> {
  await tx.updateTable('subscribers').set(change).where('id', '=', id).execute();
}

export async function deleteSubscriber(tx: Tx, id: Id): Promise<SubscriberRow | undefined> {
  return tx.deleteFrom('subscribers').where('id', '=', id).returningAll().executeTakeFirst();
}

/** @param ask - `beginning` is that of an address; empty for all. */
export async function listSubscribers(
  db: Db,
  ask: ListAsk<SubscriberState> & { readonly beginning: string },
): Promise<SubscriberRow[]> {
  const { state, beginning, after, limit } = ask;
  const pattern = `${beginning.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return db
    .selectFrom('subscribers')
    .selectAll()
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'confirmed'))
    .$if(beginning !== '', (query) => query.where(sql<boolean>`lower(email) like ${pattern}`))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(asked_at, id) < (${after?.at}, ${after?.id})`),
    )
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Counted by triggers as rows change. */
export async function countSubscribers(db: Db): Promise<Record<SubscriberState, number>> {
  const rows = await db.selectFrom('subscriber_counts').selectAll().execute();
  const counts = { pending: 0, confirmed: 0, left: 0, bounced: 0 };
  for (const { state, count } of rows) counts[state] += count;
  return counts;
}

/** How many confirmed subscribers read each language, the most first. */
export async function countLocales(db: Db | Tx): Promise<{ locale: string; count: number }[]> {
  return db
    .selectFrom('subscriber_counts')
    .select(['locale', 'count'])
    .where('state', '=', 'confirmed')
    .where('count', '>', 0)
    .orderBy('count', 'desc')
    .orderBy('locale')
    .execute();
}

export async function insertForgotten(tx: Tx, email_hash: Buffer, at: Date): Promise<void> {
  await tx
    .insertInto('forgotten_subscribers')
    .values({ email_hash, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Deletes addresses that asked and never confirmed; one that had left or bounced before is that again. With both times
 * it bounced first: after leaving an address bounces only once it has confirmed, which clears both.
 */
export async function forgetUnconfirmed(tx: Tx, before: Date): Promise<number> {
  await tx
    .updateTable('subscribers')
    .set({ state: sql`case when left_at is null then 'bounced' else 'left' end` })
    .where('state', '=', 'pending')
    .where('asked_at', '<', before)
    .where(sql<boolean>`coalesce(left_at, bounced_at) is not null`)
    .execute();
  const { numDeletedRows } = await tx
    .deleteFrom('subscribers')
    .where('state', '=', 'pending')
    .where('asked_at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** In batches by id, for the export. */
export async function listFrom(db: Db, after: Id, limit: number): Promise<SubscriberRow[]> {
  return db
    .selectFrom('subscribers')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
