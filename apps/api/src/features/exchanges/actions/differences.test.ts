/** Approvals of another amount than the expected one, of a lapsed rate, and by two operators. */
import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { act, balanced, done, receive, refused, setDesk } from '#test/factories/acts.ts';
import {
  balances,
  claim,
  claimed,
  complete,
  PAYOUT_FIELDS,
  startTestDesk,
} from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk(
  { after },
  {
    send_fee: { fixed: '1', percent: '0' },
  },
);
const { client: second } = await api.asAdmin();
afterEach(async () => {
  await setDesk(api, {});
  await balanced(admin);
});

const approval = (exchange: Json, received_amount: string, more: object = {}, by = admin) =>
  act(by, exchange, '/approval', { received_amount, ...more });

/** A new exchange under review: 100.00 USD less 1.00, at 0.9108. */
const review = async () => (await claimed(api, admin)).exchange as Json;

/** The time for which the rate stays locked passes. */
async function lapse({ number }: Json): Promise<void> {
  await api.deps.sql`
    update exchanges set rate_held_until = now() - interval '1 second' where number = ${number}`;
}

describe('an approval of another amount', () => {
  it('names the choices and records nothing until one is made', async () => {
    const exchange = await review();
    const short = await refused(approval(exchange, '99.00'), 'amount_differs');
    assert.deepEqual(short.errors.difference, ['recalculate_locked', 'recalculate_current']);
    const over = await refused(approval(exchange, '101.00'), 'amount_differs');
    assert.deepEqual(over.errors.difference, [
      'recalculate_locked',
      'recalculate_current',
      'refund_excess',
    ]);
    const wrong = await approval(exchange, '99.00', { difference: 'refund_excess' });
    assert.equal(wrong.status, 422);
    const none = await approval(exchange, '100.00', { difference: 'recalculate_locked' });
    assert.deepEqual(Object.keys(none.body.errors), ['difference']);
  });

  it('recalculates at the locked rate and the frozen fees, down and up, and completes', async () => {
    for (const [amount, payout] of [
      ['99.00', '89.25'],
      ['200.00', '181.24'],
    ] as const) {
      const exchange = await review();
      assert.equal(exchange.receive_amount, '90.16');
      const more = { difference: 'recalculate_locked' };
      const approved = await done(approval(exchange, amount, more));
      assert.deepEqual(
        [approved.state, approved.send_amount, approved.receive_amount, approved.exception],
        ['approved', amount, payout, 'none'],
      );
      assert.deepEqual(
        approved.payouts.map((each: Json) => [each.amount, each.state]),
        [[payout, 'to_pay']],
      );
      await balanced(admin);
      assert.equal((await complete(admin, approved)).state, 'completed');
    }
  });

  it('recalculates at the rate of now', async () => {
    const exchange = await review();
    await setRate('1.01');
    const approved = await done(approval(exchange, '50', { difference: 'recalculate_current' }));
    assert.deepEqual([approved.send_amount, approved.receive_amount], ['50.00', '48.99']);
    await setRate('0.92');
  });

  it('refunds the excess beside the exchange', async () => {
    const exchange = await review();
    const approved = await done(approval(exchange, '130.50', { difference: 'refund_excess' }));
    assert.deepEqual([approved.receive_amount, approved.exception], ['90.16', 'none']);
    assert.deepEqual(
      approved.refunds.map((each: Json) => [each.kind, each.amount, each.state]),
      [['excess', '30.50', 'awaiting_account']],
    );
    await complete(admin, approved);
  });

  it('refuses with 422 what would pay out nothing', async () => {
    const answer = await approval(await review(), '1.00', { difference: 'recalculate_locked' });
    assert.deepEqual(Object.keys(answer.body.errors), ['received_amount']);
  });

  it('counts the receipts that stand', async () => {
    const recorded = await receive(admin, await review(), '60');
    await refused(approval(recorded, '39.99'), 'amount_differs');
    const approved = await done(approval(recorded, '40'));
    assert.equal(approved.receipts.length, 2);
    const all = await receive(admin, await review(), '100');
    const second = await done(approval(all, '0.00'));
    assert.equal(second.receipts.length, 1);
  });

  it('within the tolerance counts as paid: the desk bears or keeps it at the completion', async () => {
    await setDesk(api, { tolerance: [{ currency: 'usd', amount: '0.5' }] });
    const before = await balances(api);
    const short = await done(approval(await review(), '99.50'));
    assert.deepEqual([short.exception, short.receive_amount], ['none', '90.16']);
    assert.equal((await balances(api))['usd costs'], before['usd costs']);
    await complete(admin, short);
    await complete(admin, await done(approval(await review(), '100.20')));
    const now = await balances(api);
    assert.equal((now['usd costs'] ?? 0n) - (before['usd costs'] ?? 0n), 50n);
    // Twice the fee, and what was kept.
    assert.equal((now['usd fees'] ?? 0n) - (before['usd fees'] ?? 0n), -220n);
    await refused(approval(await review(), '99.49'), 'amount_differs');
  });
});

describe('GET /api/admin/exchanges/{number}/outcomes', () => {
  it('says what each decision would do, as the approval then does it', async () => {
    const exchange = await receive(admin, await review(), '50');
    const outcomes = async (amount: string) =>
      (
        await done(
          admin.get(`/api/admin/exchanges/${exchange.number}/outcomes?received_amount=${amount}`),
        )
      ).outcomes as Json[];
    assert.deepEqual(
      (await outcomes('50')).map(({ difference }) => difference),
      [null],
    );
    const over = await outcomes('80');
    assert.deepEqual(
      over.map(({ difference, send_amount, receive_amount, excess }) => [
        difference,
        send_amount,
        receive_amount,
        excess,
      ]),
      [
        ['recalculate_locked', '130.00', '117.49', '0.00'],
        ['recalculate_current', '130.00', '117.49', '0.00'],
        ['refund_excess', '100.00', '90.16', '30.00'],
      ],
    );
    const approved = await done(approval(exchange, '80', { difference: 'recalculate_locked' }));
    assert.equal(approved.receive_amount, over[0]?.receive_amount);
    assert.deepEqual(approved.recalculations[0].before.receive_amount, '90.16');
  });
});

describe('an approval after the rate is no longer locked', () => {
  it('needs a decision even for the right amount', async () => {
    const exchange = await review();
    await lapse(exchange);
    const { errors } = await refused(approval(exchange, '100'), 'rate_lapsed');
    assert.deepEqual(errors.difference, ['recalculate_locked', 'recalculate_current']);
    const kept = await done(approval(exchange, '100', { difference: 'recalculate_locked' }));
    assert.equal(kept.receive_amount, '90.16');
    const other = await review();
    await lapse(other);
    await setRate('0.8');
    const now = await done(approval(other, '100', { difference: 'recalculate_current' }));
    assert.equal(now.receive_amount, '78.40');
    await setRate('0.92');
  });
});

describe('an approval above the threshold', () => {
  const above = { second_approver_above: [{ currency: 'usd', amount: '99.99' }] };

  it('needs a second, different operator, who approves the same without a claim', async () => {
    await setDesk(api, above);
    const exchange = await review();
    assert.equal(exchange.needs_second_approval, true);
    const first = await done(approval(exchange, '100.00', { reference: 'R-1' }));
    assert.deepEqual(
      [first.state, first.claim, first.received_amount],
      ['under_review', null, '0.00'],
    );
    assert.equal(first.approvals.length, 1);
    assert.ok(first.approvals[0].until);
    const { body } = await second.get('/api/admin/exchanges?queue=to_review');
    assert.ok(body.data.some((each: Json) => each.number === exchange.number));
    await refused(approval(first, '100.00', { reference: 'R-1' }), 'not_claimed');
    await refused(approval(first, '100.00', {}, second), 'approval_differs');
    const approved = await done(approval(first, '100', { reference: 'R-1' }, second));
    assert.deepEqual([approved.state, approved.approvals.length], ['approved', 2]);
    assert.equal(approved.approvals[1].until, null);
  });

  it('differs once a receipt or the payout account has changed; the first may approve again', async () => {
    await setDesk(api, above);
    const { client, exchange } = (await claimed(api, admin)) as Json;
    const first = await done(approval(exchange, '100.00'));
    const recorded = await receive(admin, first, '100.00');
    await refused(approval(recorded, '100.00', {}, second), 'amount_differs');
    await refused(approval(recorded, '0.00', {}, second), 'approval_differs');
    const again = await done(approval(await claim(admin, recorded), '0.00'));
    const path = `/api/exchanges/${exchange.number}/payout-fields`;
    const fields = { ...PAYOUT_FIELDS, iban: 'GB29NWBK60161331926819' };
    const change = { version: again.version, payout_fields: fields };
    const changed = await done(client.put(path, change, { key: true }));
    await refused(approval(changed, '0.00', {}, second), 'approval_differs');
  });

  it('lapses after a day, and the next approval is a first one again', async () => {
    await setDesk(api, above);
    const first = await done(approval(await review(), '100.00'));
    await api.deps.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update exchange_approvals set until = now() where id = ${first.approvals[0].id}`;
    });
    await refused(approval(first, '100.00', {}, second), 'not_claimed');
    const next = await claim(second, first);
    const replaced = await done(approval(next, '100.00', {}, second));
    assert.deepEqual([replaced.state, replaced.approvals.length], ['under_review', 2]);
  });

  it('is refused by the database for equal and own approvers', async () => {
    await setDesk(api, above);
    const first = await done(approval(await review(), '100.00'));
    const insert = (by: 'approved_by' | 'owner') => api.deps.sql`
      insert into exchange_approvals (id, exchange_id, approved_by, received_minor, hash, first_id, at)
      select gen_random_uuid(), e.id, ${by === 'owner' ? api.deps.sql`e.user_id` : api.deps.sql`a.approved_by`},
        a.received_minor, a.hash, a.id, now()
      from exchange_approvals a join exchanges e on e.id = a.exchange_id
      where a.id = ${first.approvals[0].id}`;
    for (const by of ['approved_by', 'owner'] as const)
      await assert.rejects(insert(by), { constraint_name: 'exchange_approvals_by_others' });
    await assert.rejects(
      api.deps.sql`update exchanges set approved_by = user_id where number = ${first.number}`,
      { code: '23514' },
    );
  });
});

async function setRate(mid: string): Promise<void> {
  await api.deps.sql`update pairs set mid_rate = ${mid} where slug = 'usd-to-eur'`;
}
