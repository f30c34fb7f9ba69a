import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { act, balanced, done, own, receive, refused, seen } from '#test/factories/acts.ts';
import { approve, balances, claimed, complete, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const { client: other } = await api.asAdmin();
afterEach(() => balanced(admin));

const reason = 'The sender is not the customer.';
const begin = (exchange: Json, more: object = {}, by = admin) =>
  act(by, exchange, '/refunds', { reason, ...more });
const pay = (exchange: Json, more: object = {}) =>
  act(admin, exchange, `/refunds/${exchange.refunds.at(-1).id}/payment`, {
    reference: 'BACK-1',
    ...more,
  });
const giveBack = (exchange: Json, at = -1) =>
  act(admin, exchange, `/refunds/${exchange.refunds.at(at).id}/return`, { reason: 'Closed.' });
const name = (client: Client, { number, version }: Json, account: string) =>
  client.put(`/api/exchanges/${number}/refund-account`, { version, account }, { key: true });

const lastRefundEmail = async () => {
  const [email] = await api.deps.sql<{ data: Json }[]>`
    select data from emails where kind = 'exchange-refund-paid' order by id desc limit 1`;
  return JSON.stringify(email?.data);
};

/** Under review with money received, whatever the amount. */
async function paid(amount = '100') {
  const { client, exchange } = await claimed(api, admin);
  return { client, exchange: await receive(admin, exchange, amount) };
}

describe('POST /api/admin/exchanges/{number}/refunds', () => {
  it('ends the exchange: the hold is free, and the customer enters the account', async () => {
    const before = await balances(api);
    const { client, exchange } = await paid('99.00');
    const pending = await done(begin(exchange, { charge: '2.50' }));
    assert.deepEqual([pending.state, pending.exception], ['refund_pending', 'none']);
    const [refund] = pending.refunds;
    assert.deepEqual(
      [refund.kind, refund.amount, refund.charge, refund.account, refund.state],
      ['whole', '99.00', '2.50', null, 'awaiting_account'],
    );
    assert.equal((await balances(api))['eur held'] ?? 0n, before['eur held'] ?? 0n);
    await refused(pay(pending), 'account_missing');
    const shown = await own(client, pending);
    assert.ok(shown.allowed.includes('set_refund_account'));
    const named = await done(name(client, shown, 'Bank of Ann, 12345'));
    assert.deepEqual(
      [named.refunds[0].state, named.refunds[0].account],
      ['to_pay', 'Bank of Ann, 12345'],
    );
    const { body } = await admin.get('/api/admin/exchanges?queue=to_refund');
    assert.ok(body.data.some((each: Json) => each.number === exchange.number));
    const refunded = await done(pay({ ...pending, version: named.version }));
    assert.deepEqual([refunded.state, refunded.refunds[0].state], ['refunded', 'paid']);
    const search = exchange.number;
    for (const csv of [
      await client.get('/api/exchanges.csv'),
      await admin.get('/api/admin/exchanges.csv', { query: { queue: 'all', search } }),
    ]) {
      const [head, row] = csv.text.split('\r\n').map((line) => line.split(','));
      const of = (column: string) => row?.[head?.indexOf(column) ?? -1];
      assert.deepEqual(['received_amount', 'refunded_amount', 'refund_charge'].map(of), [
        '99.00',
        '96.50',
        '2.50',
      ]);
    }
    const now = await balances(api);
    assert.equal((now['usd fees'] ?? 0n) - (before['usd fees'] ?? 0n), -250n);
    assert.equal((now['usd available'] ?? 0n) - (before['usd available'] ?? 0n), 250n);
  });

  it('can be begun from approved while no other operator sends the payout', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await receive(admin, await approve(admin, exchange), '5');
    await done(act(other, approved, '/claim'));
    await refused(begin(approved), 'already_claimed');
    await other.delete(`/api/admin/exchanges/${approved.number}/claim?version=${approved.version}`);
    const pending = await done(begin(approved, { account: 'Bank of Ann' }));
    assert.deepEqual(
      pending.refunds.map((each: Json) => [each.kind, each.amount, each.state]),
      [
        ['excess', '5.00', 'cancelled'],
        ['whole', '105.00', 'to_pay'],
      ],
    );
    assert.equal(pending.payouts[0].state, 'cancelled');
    assert.equal((await done(pay(pending))).state, 'refunded');
  });

  it('needs a receipt, the claim, a reason and a charge below the amount', async () => {
    const { exchange } = await claimed(api, admin);
    await refused(begin(exchange), 'nothing_received');
    const recorded = await receive(admin, exchange, '10');
    await refused(begin(recorded, {}, other), 'not_claimed');
    const wrong = await begin(recorded, { charge: '10' });
    assert.deepEqual(Object.keys(wrong.body.errors), ['charge']);
    assert.equal((await begin(recorded, { reason: ' ' })).status, 422);
  });

  it('after a reopening reverses the conversion as well', async () => {
    const before = await balances(api);
    const { exchange } = await claimed(api, admin);
    const completed = await complete(admin, await approve(admin, exchange));
    const reopened = await done(act(admin, completed, '/reopening', { reason: 'Wrong IBAN.' }));
    const pending = await done(begin(reopened, { account: 'Bank of Ann' }));
    await balanced(admin);
    assert.equal((await done(pay(pending))).state, 'refunded');
    assert.deepEqual(await balances(api), before);
  });
});

describe('the payment of a refund', () => {
  it('may return and is paid again to another account', async () => {
    const { client, exchange } = await paid();
    const refunded = await done(pay(await done(begin(exchange, { account: 'Old account' }))));
    const pending = await done(giveBack(refunded));
    assert.deepEqual(
      [pending.state, pending.exception, pending.refunds.map(({ state }: Json) => state)],
      ['refund_pending', 'returned', ['returned', 'awaiting_account']],
    );
    const named = await done(name(client, pending, 'New account'));
    const paidAgain = await done(pay({ ...pending, version: named.version }));
    assert.deepEqual([paidAgain.state, paidAgain.exception], ['refunded', 'none']);
  });

  it('of an excess does not end the exchange, before or after its completion', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await receive(admin, await approve(admin, exchange), '5');
    const paidBack = await done(pay(approved, { account: 'Bank of Ann' }));
    assert.equal(paidBack.state, 'approved');
    const returned = await done(giveBack(paidBack));
    assert.deepEqual([returned.state, returned.exception], ['approved', 'returned']);
    const completed = await complete(admin, returned);
    const last = await done(pay(completed, { account: 'Bank of Ann' }));
    assert.deepEqual([last.state, last.exception], ['completed', 'none']);
  });

  it('says where the money went, also where the customer named another account', async () => {
    const { client, exchange } = await paid();
    const pending = await done(begin(exchange));
    const named = await done(name(client, await own(client, pending), 'Ann’s account'));
    const before = { ...pending, version: named.version };
    const refunded = await done(pay(before, { account: 'Ann’s mother' }));
    assert.equal(refunded.refunds[0].account, 'Ann’s mother');
    const shown = await own(client, pending);
    assert.equal(shown.refunds[0].account, 'Ann’s mother');
    assert.ok(!JSON.stringify(shown).includes('Ann’s account'));
    assert.match(await lastRefundEmail(), /Ann’s mother/);
    const [row] = await api.deps.sql`
      select account_before, data->>'redirected' as redirected
      from exchange_refunds f join exchange_events v using (exchange_id)
      where f.id = ${refunded.refunds[0].id} and v.action = 'pay_refund'`;
    assert.deepEqual({ ...row }, { account_before: 'Ann’s account', redirected: 'true' });
  });

  it('leaves the exchange pending while another refund is open', async () => {
    const { exchange } = await paid();
    const pending = await done(begin(exchange, { account: 'Bank of Ann' }));
    const more = await receive(admin, pending, '1');
    const [whole, excess] = more.refunds;
    const first = await done(act(admin, more, `/refunds/${whole.id}/payment`, { reference: 'B' }));
    assert.equal(first.state, 'refund_pending');
    const body = { reference: 'C', account: 'Bank of Ann' };
    const last = await done(act(admin, first, `/refunds/${excess.id}/payment`, body));
    assert.equal(last.state, 'refunded');
    const late = await receive(admin, last, '2');
    assert.equal(late.state, 'refunded');
    assert.equal((await done(pay(late, { account: 'Bank of Ann' }))).state, 'refunded');
  });

  it('is told to the customer as it was made, in whatever order refunds are paid', async () => {
    const { exchange } = await paid();
    const more = await receive(admin, await done(begin(exchange, { account: 'Whole' })), '1');
    const [whole, excess] = more.refunds;
    const body = { reference: 'SECOND', account: 'Excess' };
    const first = await done(act(admin, more, `/refunds/${excess.id}/payment`, body));
    assert.match(await lastRefundEmail(), /SECOND/);
    await done(act(admin, first, `/refunds/${whole.id}/payment`, { reference: 'FIRST' }));
    assert.match(await lastRefundEmail(), /FIRST/);
  });

  it('cannot exceed the receipts, in the database itself', async () => {
    const { exchange } = await paid();
    await assert.rejects(
      api.deps.sql`
        insert into exchange_refunds (id, exchange_id, currency_id, kind, amount_minor, at)
        select gen_random_uuid(), id, send_currency_id, 'excess', 10001, now()
        from exchanges where number = ${exchange.number}`,
      { constraint_name: 'exchange_refunds_covered' },
    );
  });
});

describe('PUT /api/exchanges/{number}/refund-account', () => {
  it('is for the owner, freshly confirmed', async () => {
    const { client, exchange } = await paid();
    const pending = await done(begin(exchange));
    const { client: stranger } = await api.asMember();
    assert.equal((await name(stranger, pending, 'Mine')).status, 404);
    api.clock.advance(11 * MINUTE);
    const stale = await name(client, pending, 'Mine');
    assert.deepEqual([stale.status, stale.body.code], [403, 'confirmation_required']);
    assert.equal((await seen(admin, pending)).refunds[0].account, null);
  });
});
