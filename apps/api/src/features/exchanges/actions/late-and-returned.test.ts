/** Money that came after the end, payouts that were sent back, and changed payout accounts. */
import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { act, balanced, done, own, refused, seen, setDesk } from '#test/factories/acts.ts';
import {
  approve,
  balances,
  cancel,
  claim,
  claimed,
  complete,
  create,
  deskPath,
  PAYOUT_FIELDS,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const { client: other } = await api.asAdmin();
afterEach(() => balanced(admin));

const late = (exchange: Json, price: string, amount = '100') =>
  act(admin, exchange, '/late-receipt', { amount, price });
const setRate = (mid: string) =>
  api.deps.sql`update pairs set mid_rate = ${mid} where slug = 'usd-to-eur'`;

async function cancelled() {
  const { client } = await api.asMember();
  return { client, exchange: await cancel(client, await create(client)) };
}

describe('POST /api/admin/exchanges/{number}/late-receipt', () => {
  it('goes on at the locked rate: the hold is taken again', async () => {
    const { client, exchange } = await cancelled();
    const review = await done(late(exchange, 'locked'));
    assert.deepEqual(
      [review.state, review.exception, review.claim.mine, review.receive_amount],
      ['under_review', 'late', true, '91.08'],
    );
    const approved = await done(act(admin, review, '/approval', { received_amount: '0.00' }));
    assert.equal(approved.exception, 'late');
    assert.equal((await complete(admin, approved)).exception, 'none');
    assert.equal((await own(client, exchange)).state, 'completed');
  });

  it('goes on at the rate of now', async () => {
    const { exchange } = await cancelled();
    await setRate('0.5');
    const path = `/api/admin/exchanges/${exchange.number}/outcomes?received_amount=90`;
    const { current } = await done(admin.get(path));
    const review = await done(late(exchange, 'current', '90'));
    assert.deepEqual([review.send_amount, review.receive_amount], ['100.00', '49.50']);
    assert.deepEqual(current, { receive_amount: review.receive_amount, rate: review.rate });
    await setRate('0.92');
    await refused(act(admin, review, '/approval', { received_amount: '0' }), 'amount_differs');
  });

  it('is to be refunded, and reversed returns to the state before it', async () => {
    const { exchange } = await cancelled();
    const pending = await done(late(exchange, 'refund', '60'));
    assert.deepEqual([pending.state, pending.refunds[0].amount], ['refund_pending', '60.00']);
    const path = `/receipts/${pending.receipts[0].id}?version=${pending.version}&reason=Mistaken`;
    const back = await done(
      admin.delete(deskPath(exchange.number, path), undefined, { key: true }),
    );
    assert.deepEqual([back.state, back.refunds[0].state], ['cancelled', 'cancelled']);
    const again = await done(late(back, 'refund', '60'));
    const body = { reference: 'BACK', account: 'Bank of Ann' };
    const paid = await done(act(admin, again, `/refunds/${again.refunds[1].id}/payment`, body));
    assert.equal(paid.state, 'refunded');
  });

  it('of a customer who deleted the account can only be refunded', async () => {
    const { client, exchange } = await cancelled();
    assert.equal((await client.leave()).status, 204);
    for (const price of ['locked', 'current'])
      await refused(late(exchange, price), 'account_missing');
    assert.deepEqual((await seen(admin, exchange)).receipts, []);
    assert.equal((await done(late(exchange, 'refund'))).state, 'refund_pending');
  });

  it('of a rejected exchange needs the reserve', async () => {
    const review = await claim(admin, await submitted((await api.asMember()).client));
    const rejected = await done(act(admin, review, '/rejection', { reason: 'Nothing came.' }));
    const { 'eur available': available = 0n } = await balances(api);
    const drain = { direction: 'out', amount: `${available / 100n}`, reason: 'Empty it.' };
    const adjust = (body: object) =>
      admin.post('/api/admin/reserves/eur/adjustments', body, { key: true });
    await done(adjust(drain));
    await refused(late(rejected, 'locked'), 'insufficient_reserve');
    assert.deepEqual((await seen(admin, rejected)).receipts, []);
    await done(adjust({ ...drain, direction: 'in' }));
    assert.equal((await done(late(rejected, 'locked'))).state, 'under_review');
  });

  it('is for ended exchanges only', async () => {
    await refused(late(await create((await api.asMember()).client), 'locked'), 'state_conflict');
  });
});

describe('POST /api/admin/exchanges/{number}/reopening', () => {
  it('makes the payout owed again, with the charge, and a new payout record', async () => {
    const before = await balances(api);
    const { client, exchange } = await claimed(api, admin);
    const completed = await complete(admin, await approve(admin, exchange));
    const reopened = await done(
      act(admin, completed, '/reopening', { reason: 'Account closed.', charge: '3' }),
    );
    assert.deepEqual([reopened.state, reopened.exception], ['approved', 'returned']);
    assert.equal(reopened.payouts[0].account, reopened.payouts[1].account);
    const { allowed, timeline } = await own(client, reopened);
    assert.ok(allowed.includes('change_payout'));
    assert.deepEqual(
      [timeline.at(-1).action, timeline.at(-1).reason],
      ['reopen', 'Account closed.'],
    );
    assert.deepEqual(
      reopened.payouts.map((each: Json) => [each.state, each.charge]),
      [
        ['returned', '3.00'],
        ['to_pay', '0.00'],
      ],
    );
    await balanced(admin);
    const used = { payout_reference: completed.payout_reference };
    await refused(act(admin, reopened, '/completion', used), 'reference_used');
    const again = await done(
      act(admin, reopened, '/completion', { ...used, another_payout: true, charge: '0.5' }),
    );
    assert.deepEqual([again.state, again.exception], ['completed', 'none']);
    const now = await balances(api);
    assert.equal((now['eur costs'] ?? 0n) - (before['eur costs'] ?? 0n), 350n);
  });

  it('needs the permission money', async () => {
    const { client: clerk } = await api.asAdmin({ permissions: ['desk'] });
    const { exchange } = await claimed(api, admin);
    const completed = await complete(admin, await approve(admin, exchange));
    assert.equal((await act(clerk, completed, '/reopening', { reason: 'x x x' })).status, 403);
    assert.ok(!(await seen(clerk, completed)).allowed.includes('reopen'));
    assert.ok((await seen(admin, completed)).allowed.includes('reopen'));
  });
});

describe('PUT /api/exchanges/{number}/payout-fields', () => {
  const change = (client: Client, { number, version }: Json, iban = 'GB29NWBK60161331926819') =>
    client.put(
      `/api/exchanges/${number}/payout-fields`,
      { version, payout_fields: { ...PAYOUT_FIELDS, iban } },
      { key: true },
    );

  it('before the submission takes effect without a wait', async () => {
    const { client } = await api.asMember();
    const changed = await done(change(client, await create(client)));
    assert.match(JSON.stringify(changed.payout_fields), /GB29/);
    assert.equal((await seen(admin, changed)).payout_waits_until, null);
  });

  it('of an approved exchange replaces the payout, which waits for another operator', async () => {
    const { client, exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    const changed = await done(change(client, approved));
    const shown = await seen(admin, changed);
    assert.ok(shown.warnings.includes('payout_changed'));
    assert.deepEqual(
      shown.payouts.map(({ state }: Json) => state),
      ['cancelled', 'to_pay'],
    );
    assert.match(shown.payouts[1].account, /GB29/);
    assert.match(shown.payout_history[0].account, /DE89/);
    await refused(act(admin, approved, '/claim'), 'version_conflict');
    const body = { payout_reference: 'NEW-1' };
    await refused(act(admin, shown, '/completion', body), 'payout_waits');
    assert.equal((await done(act(other, shown, '/completion', body))).state, 'completed');
  });

  it('waits as long as the settings say', async () => {
    await setDesk(api, { payout_change_hours: 0 });
    const { client, exchange } = await claimed(api, admin);
    const changed = await done(change(client, await approve(admin, exchange)));
    assert.equal((await complete(admin, changed)).state, 'completed');
    await setDesk(api, {});
  });

  it('is refused while the payout is being sent, for strangers, and without a confirmation', async () => {
    const { client, exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    await done(act(other, approved, '/claim'));
    await refused(change(client, approved), 'payout_claimed');
    assert.equal((await change((await api.asMember()).client, approved)).status, 404);
    assert.equal((await change(client, approved, 'GB00')).status, 409);
    api.clock.advance(11 * MINUTE);
    assert.deepEqual((await change(client, approved)).body.code, 'confirmation_required');
  });
});
