import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Json } from '#test/client.ts';
import { setDesk } from '#test/desk.ts';
import { act, done, receive } from '#test/factories/acts.ts';
import {
  approve,
  cancel,
  claim,
  complete,
  create,
  deskPath,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';
import { rollUp } from './dashboard.ts';

const { api, admin } = await startTestDesk({ after });
const { db } = api;

async function read(days = '30', client = admin): Promise<Json> {
  const answer = await client.get('/api/admin/dashboard', { query: { days } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function paidOut(amount: string): Promise<Json> {
  const { client } = await api.asMember();
  const exchange = await claim(admin, await submitted(client, amount));
  return complete(admin, await approve(admin, exchange));
}

/** A copy of what happened and of its postings, so many days earlier; the sums of all rows follow it. */
async function copyToEarlier(number: string, days: number): Promise<void> {
  const changed =
    sql.raw(`jsonb_build_object('id', gen_random_uuid(), 'quote_id', gen_random_uuid(),
    'number', 'CX-00${days}0-0000', 'created_at', e.created_at - interval '${days} days')`);
  await sql`with e as (
      insert into exchanges select (jsonb_populate_record(e, ${changed})).* from exchanges e
      where number = ${number} returning id)
    insert into exchange_events (exchange_id, action, from_state, to_state, actor_kind, actor_id, at)
    select e.id, v.action, v.from_state, v.to_state, v.actor_kind, v.actor_id, v.at - ${days} * interval '1 day'
    from e, exchange_events v join exchanges o on o.id = v.exchange_id
    where o.number = ${number} order by v.id`.execute(db);
  await sql`with t as (
      insert into ledger_transactions (id, kind, cause, created_at)
      select gen_random_uuid(), kind, id::text || ${days}, created_at - ${days} * interval '1 day'
      from ledger_transactions where exchange_number = ${number} returning id, cause)
    insert into ledger_entries (transaction_id, account_id, currency_id, amount)
    select t.id, n.account_id, n.currency_id, n.amount from ledger_entries n
      join t on t.cause = n.transaction_id::text || ${days}
    order by n.id`.execute(db);
}

describe('GET /api/admin/dashboard', () => {
  it('equals a recomputation over all rows, also after days are corrected and rolled up again', async () => {
    await setDesk(admin, { reporting_unit: 'USD' });
    const { client } = await api.asMember();
    await cancel(client, await create(client, '50.00'));
    await create(client, '60.00');
    const rejected = await claim(admin, await submitted(client, '70.00'));
    await admin.post(
      deskPath(rejected.number, '/rejection'),
      { version: rejected.version, reason: 'Nothing arrived.' },
      { key: true },
    );
    const done = await paidOut('500.00');
    for (const days of [1, 2, 5, 40]) await copyToEarlier(done.number, days);
    const again = await paidOut('1000.00');
    await rollUp(api.deps);
    assert.equal((await read('7')).days.at(-1).completed, 2);
    const body = { version: again.version, reason: 'The account is closed.', charge: '1.00' };
    const path = deskPath(again.number, '/reopening');
    assert.equal((await admin.post(path, body, { key: true })).status, 200);
    await rollUp(api.deps);
    await rollUp(api.deps);
    await equalsAllRows();
    const { days, without_rate, unit } = await read();
    assert.deepEqual([days.length, without_rate, unit], [30, [], 'USD']);
    const { volume, completed, created, paid, unpaid, refused, ...today } = days.at(-1);
    assert.deepEqual(
      [created, paid, completed, unpaid, refused, volume],
      [5, 3, 1, 1, 1, '500.00'],
    );
    assert.ok(today.approval_median >= 0 && today.payout_p90 >= today.payout_median);
    assert.deepEqual([days.at(-2).completed, days.at(-4).completed], [1, 0]);
    assert.deepEqual([days.at(-4).volume, days.at(-4).approval_median], ['0.00', null]);
    assert.match(days.at(-2).margin, /^[1-9]/);
  });

  async function equalsAllRows() {
    const [counted] = (
      await sql<Json>`select count(*)::int as created,
        count(*) filter (where state not in ('awaiting_payment', 'cancelled', 'expired'))::int as paid,
        count(*) filter (where state = 'completed')::int as completed,
        count(*) filter (where state in ('cancelled', 'expired'))::int as unpaid,
        count(*) filter (where state in ('rejected', 'refunded'))::int as refused,
        (select -sum(balance) from ledger_accounts
          where kind in ('fees', 'spread', 'costs'))::text as margin,
        (sum(send_minor) filter (where state = 'completed'))::text as volume from exchanges`.execute(
        db,
      )
    ).rows;
    const [rolled] = (
      await sql<Json>`select sum(created)::int as created, sum(paid)::int as paid,
        sum(completed)::int as completed, sum(unpaid)::int as unpaid, sum(refused)::int as refused,
        (select sum(minor) from daily_amounts where kind = 'margin')::text as margin,
        (select sum(minor) from daily_amounts where kind = 'volume')::text as volume
        from daily_figures`.execute(db)
    ).rows;
    assert.deepEqual(rolled, counted);
  }

  it('shows no money without its permission, and names what has no rate', async () => {
    const { client } = await api.asAdmin({ permissions: ['desk'] });
    const { days, unit } = await read('7', client);
    assert.deepEqual([days.at(-1).volume, days.at(-1).margin, unit], [null, null, 'USD']);
    await setDesk(admin, { reporting_unit: 'XAU' });
    assert.deepEqual((await read()).without_rate, ['EUR', 'USD']);
    await setDesk(admin, { reporting_unit: 'USD' });
    const other = await api.asAdmin({ permissions: ['settings'] });
    assert.equal((await other.client.get('/api/admin/dashboard')).status, 403);
    assert.equal((await admin.get('/api/admin/dashboard', { query: { days: '8' } })).status, 422);
  });

  it('counts the open work by age, the same exchanges as the queues', async () => {
    const { client } = await api.asMember();
    const { number } = await submitted(client, '80.00');
    await claim(admin, await submitted(client, '81.00'));
    const held = await claim(admin, await submitted(client, '82.00'));
    await done(act(admin, held, '/question', { text: 'Which bank?', wants: 'answer' }));
    let over = await paidOut('83.00');
    for (const reference of ['More', 'Again'])
      over = await receive(admin, over, '5.00', { reference });
    assert.equal(over.refunds.length, 2);
    await sql`update exchanges set submitted_at = now() - interval '5 hours'
      where number = ${number}`.execute(db);
    const { open } = await read();
    assert.deepEqual(
      open.map(({ queue, ages }: Json) => [queue, ages]),
      [
        ['to_review', [0, 0, 1, 0, 0]],
        ['on_hold', [1, 0, 0, 0, 0]],
        ['to_pay_out', [1, 0, 0, 0, 0]],
        ['to_refund', [1, 0, 0, 0, 0]],
      ],
    );
    const counts = (await admin.get('/api/admin/exchanges/counts')).body.data;
    for (const { queue, ages } of open)
      assert.equal(
        counts[queue],
        ages.reduce((sum: number, count: number) => sum + count),
        queue,
      );
  });
});
