import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { act, balanced, done, own, receive, refused, seen, setDesk } from '#test/factories/acts.ts';
import {
  approve,
  balances,
  claim,
  claimed,
  complete,
  create,
  deskPath,
  passPayBy,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';
import { openContext } from '../context.ts';
import { endOverdue } from './end-unpaid.ts';

const { api, admin } = await startTestDesk({ after });
afterEach(() => balanced(admin));

const reverse = (exchange: { number: string; version: number }, id: string) =>
  admin.delete(
    deskPath(exchange.number, `/receipts/${id}?version=${exchange.version}&reason=A+mistake.`),
    undefined,
    { key: true },
  );

describe('POST /api/admin/exchanges/{number}/receipts', () => {
  it('records money in each state before the decision, and the customer hears of it', async () => {
    const { client } = await api.asMember();
    const waiting = await create(client);
    const first = await receive(admin, waiting, '40', { payer: 'Alex Marlow', reference: 'A 1' });
    assert.equal(first.state, 'awaiting_payment');
    assert.deepEqual([first.received_amount, first.exception], ['40.00', 'part']);
    const [receipt] = first.receipts;
    assert.deepEqual(
      [receipt.amount, receipt.payer, receipt.reference, receipt.source, receipt.state],
      ['40.00', 'Alex Marlow', 'A 1', 'operator', 'recorded'],
    );
    const second = await receive(admin, first, '60.00');
    assert.deepEqual([second.received_amount, second.exception], ['100.00', 'none']);
    const { received_amount, exception, refunds } = await own(client, waiting);
    assert.deepEqual([received_amount, exception, refunds], ['100.00', 'none', []]);
    const third = await receive(admin, second, '0.01');
    assert.equal(third.exception, 'over');
    assert.equal(
      (await refused(act(admin, second, '/receipts', { amount: '1' }), 'version_conflict')).code,
      'version_conflict',
    );
  });

  it('leaves what is still missing to be paid, in the code too, and nothing within the tolerance', async () => {
    await api.deps.sql`update payee_accounts set qr_template = 'pay:{amount}'`;
    await setDesk(api, { tolerance: [{ currency: 'usd', amount: '0.5' }] });
    const { client } = await api.asMember();
    const waiting = await create(client, '50');
    const owed = async () => {
      const { missing_amount, payee } = await own(client, waiting);
      return [missing_amount, payee.qr];
    };
    assert.deepEqual(await owed(), ['50.00', 'pay:50.00']);
    const part = await receive(admin, waiting, '30');
    assert.deepEqual(await owed(), ['20.00', 'pay:20.00']);
    await receive(admin, part, '19.50');
    assert.deepEqual(await owed(), ['0.00', null]);
    await setDesk(api, {});
    assert.deepEqual(await owed(), ['0.50', 'pay:0.50']);
    await api.deps.sql`update payee_accounts set qr_template = null`;
  });

  it('refuses a reference that is recorded unless it is said to be another payment', async () => {
    const one = await create((await api.asMember()).client);
    const other = await create((await api.asMember()).client);
    await receive(admin, one, '1', { reference: 'RF65 5390 07 \u0130' });
    const body = { amount: '1', reference: 'rf65 5390 07 \u0130' };
    // As on a slip, as in a file, and as copied from a page or a PDF.
    for (const reference of [
      body.reference,
      'RF65539007\u0130',
      'RF65\u00a05390\u200707 \u0130',
      'RF65 5390  07\u200b\t\u0130\u2060',
    ])
      await refused(act(admin, other, '/receipts', { ...body, reference }), 'reference_used');
    await receive(admin, other, '1', { ...body, another_payment: true });
    for (const search of ['rf65 5390', 'RF6553900', 'RF65 5390 07 \u0130']) {
      const { body: found } = await admin.get('/api/admin/exchanges', {
        query: { queue: 'all', search },
      });
      assert.equal(found.data.length, 2, search);
    }
  });

  it('answers 422 for no amount, and 409 to the owner', async () => {
    const { client, user } = await api.asAdmin();
    const exchange = await create(client);
    const nothing = await act(admin, exchange, '/receipts', { amount: '0.00' });
    assert.equal(nothing.status, 422);
    await refused(act(client, exchange, '/receipts', { amount: '1' }), 'own_exchange');
    assert.ok(user);
  });

  it('keeps an unpaid exchange from being cancelled or expiring: it is submitted', async () => {
    const { client } = await api.asMember();
    const exchange = await receive(admin, await create(client), '5');
    const cancellation = `/api/exchanges/${exchange.number}/cancellation`;
    await refused(
      client.post(cancellation, { version: exchange.version }, { key: true }),
      'receipt_stands',
    );
    await passPayBy(api, exchange.number);
    await endOverdue(await openContext(api.deps));
    assert.equal((await seen(admin, exchange)).state, 'payment_submitted');
  });

  it('is to be given back after the decision, and the exchange goes on', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await receive(admin, await approve(admin, exchange), '7');
    assert.equal(approved.state, 'approved');
    assert.equal(approved.exception, 'none');
    const [refund] = approved.refunds;
    assert.deepEqual(
      [refund.kind, refund.amount, refund.state],
      ['excess', '7.00', 'awaiting_account'],
    );
    const completed = await receive(admin, await complete(admin, approved), '3');
    assert.deepEqual(
      completed.refunds.map(({ amount }: { amount: string }) => amount),
      ['7.00', '3.00'],
    );
  });
});

describe('DELETE /api/admin/exchanges/{number}/receipts/{id}', () => {
  it('posts the opposite once, and the amount is missing again', async () => {
    const before = await balances(api);
    const recorded = await receive(admin, await create((await api.asMember()).client), '100');
    const [{ id }] = recorded.receipts;
    const undone = await done(reverse(recorded, id));
    assert.deepEqual([undone.received_amount, undone.exception], ['0.00', 'none']);
    assert.equal(undone.receipts[0].state, 'reversed');
    await refused(reverse(undone, id), 'nothing_received');
    const { 'eur held': held, 'eur available': available, ...rest } = await balances(api);
    const { 'eur held': _held, 'eur available': _available, ...restBefore } = before;
    assert.deepEqual(rest, restBefore);
    assert.ok(held && available);
  });

  it('allows the rejection again', async () => {
    const review = await claim(admin, await submitted((await api.asMember()).client));
    const recorded = await receive(admin, review, '100');
    const reason = { reason: 'Nothing came.' };
    await refused(act(admin, recorded, '/rejection', reason), 'receipt_stands');
    const undone = await done(reverse(recorded, recorded.receipts[0].id));
    assert.equal((await done(act(admin, undone, '/rejection', reason))).state, 'rejected');
  });

  it('takes back what was recorded after the decision while its refund is unpaid, and no other', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await receive(admin, await approve(admin, exchange), '7');
    const [first, late] = approved.receipts;
    await refused(reverse(approved, first.id), 'receipt_settled');
    const undone = await done(reverse(approved, late.id));
    assert.deepEqual([undone.received_amount, undone.refunds[0].state], ['100.00', 'cancelled']);
    assert.equal((await complete(admin, undone)).state, 'completed');
  });

  it('ends a refund of which nothing but a mistake is left to pay', async () => {
    const { exchange } = await claimed(api, admin);
    const paid = await receive(admin, exchange, '100');
    const begun = await done(act(admin, paid, '/refunds', { reason: 'Asked.', account: 'Ann' }));
    const mistaken = await receive(admin, begun, '7');
    const payment = `/refunds/${begun.refunds[0].id}/payment`;
    const pending = await done(act(admin, mistaken, payment, { reference: 'BACK-1' }));
    assert.equal(pending.state, 'refund_pending');
    const ended = await done(reverse(pending, pending.receipts[1].id));
    assert.deepEqual([ended.state, ended.received_amount], ['refunded', '100.00']);
  });

  it('takes back what belongs to another exchange, while nothing of its refund is paid', async () => {
    const { client, exchange } = await claimed(api, admin);
    const one = await receive(admin, await approve(admin, exchange), '5', { reference: 'R-5' });
    const body = { reason: 'Not theirs.', charge: '2', account: 'Ann' };
    const begun = await done(act(admin, one, '/refunds', body));
    assert.deepEqual(begun.refunds.at(-1).amount, '105.00');
    const less = await done(reverse(begun, begun.receipts[0].id));
    assert.equal(less.state, 'refund_pending');
    const { amount, charge, account, state } = less.refunds.at(-1);
    assert.deepEqual([amount, charge, account, state], ['5.00', '2.00', 'Ann', 'to_pay']);
    const none = await done(reverse(less, begun.receipts[1].id));
    assert.deepEqual([none.state, none.received_amount], ['rejected', '0.00']);
    assert.equal((await own(client, none)).state, 'rejected');
    const path = '/late-receipt';
    const again = await done(act(admin, none, path, { amount: '100', price: 'locked' }));
    assert.equal(again.state, 'under_review');
  });

  it('answers 404 for a receipt of another exchange', async () => {
    const one = await receive(admin, await create((await api.asMember()).client), '1');
    const other = await receive(admin, await create((await api.asMember()).client), '1');
    assert.equal((await reverse(one, other.receipts[0].id)).status, 404);
  });
});
