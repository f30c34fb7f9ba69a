/** The admins' list of subscribers: found, exported, deleted. */
import { Readable } from 'node:stream';
import type { Subscriber, SubscriberState } from '@cambist/contract/newsletter';
import type { By } from '#kernel/actor.ts';
import { csvLine } from '#kernel/csv.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db } from '#platform/db/database.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import type { Deps } from '#platform/deps.ts';
import { forgetSubscriber } from './newsletter.ts';
import * as store from './store.ts';

const EXPORT_BATCH = 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const EXPORTED = [
  'email',
  'locale',
  'state',
  'source',
  'asked_at',
  'confirmed_at',
  'left_at',
  'bounced_at',
] as const;

/** @throws {Refusal} 422 on `cursor` */
export async function list(db: Db, { q = '', ...query }: ListQuery<SubscriberState>) {
  const ask = askOf(query);
  const counts = await store.countSubscribers(db);
  const rows = await store.listSubscribers(db, { ...ask, beginning: q.trim() });
  const { page, meta } = pageOf(rows, ask, (row) => row.asked_at);
  return { data: page.map(subscriberOf), meta, counts };
}

/** Every subscriber as a line of CSV, read in batches while it is sent; recorded in the audit log. */
export async function exportAll(db: Db, by: By): Promise<Readable> {
  await record(db, { ...by, action: 'newsletter.exported' });
  async function* lines() {
    yield csvLine(EXPORTED);
    for (let after = FIRST_ID; ;) {
      const batch = await store.listFrom(db, after, EXPORT_BATCH);
      for (const row of batch) {
        const shown = subscriberOf(row);
        yield csvLine(EXPORTED.map((column) => shown[column] ?? ''));
      }
      const last = batch.at(-1);
      if (!last || batch.length < EXPORT_BATCH) return;
      after = last.id;
    }
  }
  return Readable.from(lines());
}

/** @throws {Refusal} 404 */
export function remove(deps: Pick<Deps, 'db' | 'keys' | 'clock'>, by: By, id: Id): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const found = await store.findSubscriber(tx, id);
    if (found === undefined || !(await forgetSubscriber(deps, tx, found.email))) throw notFound();
    const about = { subject_kind: 'subscriber', subject_id: id };
    await record(tx, { ...by, action: 'newsletter.subscriber_deleted', ...about });
  });
}

function subscriberOf(row: store.SubscriberRow): Subscriber {
  return {
    ...row,
    asked_at: row.asked_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    left_at: row.left_at?.toISOString() ?? null,
    bounced_at: row.bounced_at?.toISOString() ?? null,
  };
}
