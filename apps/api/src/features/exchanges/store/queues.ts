/** SQL of the desk's queues: what is in each, how much, and since when. */
import { ageBrackets, type Dashboard } from '@cambist/contract/dashboard';
import { workQueues, type queues, type WorkQueue } from '@cambist/contract/desk';
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

export type QueueName = (typeof queues)[number];

interface QueueAsk {
  readonly now: Date;
  readonly operatorId: Id;
}

const unpaid = sql`from exchange_refunds f where f.state in ('awaiting_account', 'to_pay')`;

/** The condition and order of each queue; all but the last are oldest first. */
export const queueTable: Readonly<
  Record<
    QueueName,
    {
      order: 'submitted_at' | 'pay_by' | 'created_at';
      newestFirst?: true;
      condition: (ask: QueueAsk) => RawBuilder<boolean>;
    }
  >
> = {
  to_review: {
    order: 'submitted_at',
    condition: ({ now }) => sql`(e.state = 'payment_submitted'
      or (e.state = 'under_review' and coalesce(e.claimed_until <= ${now}, true)))`,
  },
  mine: {
    order: 'submitted_at',
    condition: ({ now, operatorId }) => sql`(
      e.state in ('payment_submitted', 'under_review', 'on_hold', 'approved')
      and e.claimed_by = ${operatorId} and e.claimed_until > ${now})`,
  },
  to_pay_out: { order: 'submitted_at', condition: () => sql`e.state = 'approved'` },
  // Of excesses too, which do not keep an exchange from its completion.
  to_refund: {
    order: 'created_at',
    condition: () => sql`e.id in (select exchange_id ${unpaid})`,
  },
  unread: { order: 'created_at', condition: () => sql`e.unread_by_desk` },
  on_hold: { order: 'submitted_at', condition: () => sql`e.state = 'on_hold'` },
  awaiting_payment: { order: 'pay_by', condition: () => sql`e.state = 'awaiting_payment'` },
  all: { order: 'created_at', newestFirst: true, condition: () => sql`true` },
};

/** The maximum of each count. */
const COUNT_CAP = 999;

export type Counts = Record<Exclude<QueueName, 'all'>, number> & {
  oldest_to_review_at: Date | null;
};

/** One statement that reads at most `COUNT_CAP` rows per queue. */
export async function countQueues(db: Db, ask: QueueAsk): Promise<Counts> {
  const { all: _all, ...counted } = queueTable;
  const counts = Object.entries(counted).map(
    ([name, { condition }]) => sql`(select count(*)::int from (select from exchanges e
      where ${condition(ask)} limit ${COUNT_CAP}) capped) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Counts>`select ${sql.join(counts)},
    (select min(e.submitted_at) from exchanges e
      where ${queueTable.to_review.condition(ask)}) as oldest_to_review_at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The queues could not be counted.');
  return row;
}

export interface Work {
  readonly queue: WorkQueue;
  readonly count: number;
  readonly oldest: Date;
  readonly newest: Date;
}

/** What waits for operators; a queue that is empty is left out. A lapsed claim and a first approval are new work. */
export async function listWork(tx: Tx, now: Date): Promise<Work[]> {
  const ask = { now, operatorId: '' };
  const inQueue = (queue: WorkQueue) => sql`
    select ${queue}::text as queue, e.state_changed_at as at, greatest(e.state_changed_at,
      case e.state when 'under_review' then e.claimed_until end,
      (select max(a.at) from exchange_approvals a where a.exchange_id = e.id)) as since
    from exchanges e where ${queueTable[queue].condition(ask)}`;
  const { rows } = await sql<Work>`
    select queue, count(*)::int as count, min(at) as oldest, max(since) as newest
    from (${inQueue('to_review')} union all ${inQueue('to_pay_out')} union all
      select 'to_refund', min(at), max(at) ${unpaid} group by exchange_id) as work
    group by queue`.execute(tx);
  return workQueues.flatMap((queue) => rows.filter((row) => row.queue === queue));
}

type OpenWork = Omit<Dashboard['open'][number], 'oldest_at'> & { oldest_at: Date };

/** Since when an exchange waits, in the order of the work. */
const waitsSince = {
  to_review: sql`coalesce(e.submitted_at, e.created_at)`,
  on_hold: sql`e.state_changed_at`,
  to_pay_out: sql`e.state_changed_at`,
  to_refund: sql`(select min(f.at) ${unpaid} and f.exchange_id = e.id)`,
} satisfies Record<OpenWork['queue'], RawBuilder<unknown>>;

/** The ages of what `countQueues` counts, without empty queues. */
export async function listOpenWork(db: Db, now: Date): Promise<OpenWork[]> {
  const bounds = ['0 hours', ...ageBrackets.map((hours) => `${hours} hours`), 'infinity'];
  const ages = bounds.slice(1).map(
    (to, index) => sql`count(*) filter (where ${now} - at >= ${bounds[index]}::interval
      and ${now} - at < ${to}::interval)::int`,
  );
  const names = Object.keys(waitsSince) as OpenWork['queue'][];
  const waiting = names.map(
    (name) => sql`select ${name}::text as queue, ${waitsSince[name]} as at
      from exchanges e where ${queueTable[name].condition({ now, operatorId: '' })}`,
  );
  const { rows } = await sql<OpenWork>`
    select queue, array[${sql.join(ages)}] as ages, min(at) as oldest_at
    from (${sql.join(waiting, sql` union all `)}) open
    group by queue order by array_position(${names}::text[], queue)`.execute(db);
  return rows;
}
