/** Two people decide about the money of one exchange at once: one wins, the other gets 409. */
import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import type { Answer, Json } from './client.ts';
import { act, balanced, done, receive, seen, setDesk } from './factories/acts.ts';
import {
  approve,
  balances,
  cancel,
  claimed,
  create,
  PAYOUT_FIELDS,
  startTestDesk,
} from './factories/exchange.ts';

const ROUNDS = 8;
const { api, admin } = await startTestDesk({ after }, {}, { patient: true });
const { client: second } = await api.asAdmin();
afterEach(async () => {
  await setDesk(api, {});
  await balanced(admin);
});

/** Exactly one of both is done, and the other one is refused as a conflict. */
async function race(left: Promise<Answer>, right: Promise<Answer>): Promise<[Answer, Answer]> {
  const answers = await Promise.all([left, right]);
  const statuses = answers.map(({ status }) => (status < 300 ? 'done' : status));
  assert.deepEqual(statuses.toSorted(), [409, 'done'], answers.map(({ text }) => text).join('\n'));
  return answers;
}

/** Both keep the same key, so a conflict is one of the exchange. */
const rounds = (name: string, round: () => Promise<void>) =>
  it(name, async () => {
    for (let at = 0; at < ROUNDS; at += 1) await round();
  });

describe('at the same time', () => {
  rounds('two operators decide the same difference', async () => {
    const { exchange } = await claimed(api, admin);
    const decide = (difference: string) =>
      act(admin, exchange, '/approval', { received_amount: '120', difference });
    await race(decide('recalculate_locked'), decide('refund_excess'));
    const { receipts, payouts } = await seen(admin, exchange);
    assert.deepEqual([receipts.length, payouts.length], [1, 1]);
  });

  rounds('a refund meets a completion', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    const reference = { payout_reference: `OUT ${approved.number}` };
    await race(
      act(admin, approved, '/completion', reference),
      act(second, approved, '/refunds', { reason: 'Asked for.' }),
    );
    const { state, payouts } = await seen(admin, approved);
    assert.deepEqual(
      [state, payouts[0].state],
      state === 'completed' ? ['completed', 'sent'] : ['refund_pending', 'cancelled'],
    );
  });

  rounds('a late payment and a new exchange want the last of a reserve', async () => {
    const { client } = await api.asMember();
    const ended = await cancel(client, await create(client));
    const { client: other } = await api.asMember();
    await setDesk(api, { new_customer_reserve_percent: 100 });
    const { 'eur available': available = 0n } = await balances(api);
    const rest = available - 10_000n;
    const move = (direction: string) =>
      done(
        admin.post(
          '/api/admin/reserves/eur/adjustments',
          {
            direction,
            amount: `${rest / 100n}.${String(rest % 100n).padStart(2, '0')}`,
            reason: 'Test it.',
          },
          { key: true },
        ),
      );
    const { token } = (
      await other.post('/api/public/quotes', { pair: 'usd-to-eur', side: 'send', amount: '100' })
    ).body.data as Json;
    await move('out');
    const body = { quote_token: token, payout_fields: PAYOUT_FIELDS, terms_accepted: true };
    await race(
      act(admin, ended, '/late-receipt', { amount: '100', price: 'locked' }),
      other.post('/api/exchanges', body, { key: true }),
    );
    await move('in');
  });

  rounds('a second approval meets a receipt that changes what was approved', async () => {
    await setDesk(api, { second_approver_above: [{ currency: 'usd', amount: '50' }] });
    const { exchange } = await claimed(api, admin);
    const first = await done(act(admin, exchange, '/approval', { received_amount: '100' }));
    const [approval] = await Promise.all([
      act(second, first, '/approval', { received_amount: '100' }),
      act(admin, first, '/receipts', { amount: '1' }),
    ]);
    const now = await seen(admin, exchange);
    assert.ok(approval.status === 200 || approval.status === 409, approval.text);
    assert.equal(now.state, approval.status === 200 ? 'approved' : 'under_review');
  });

  rounds('a changed payout account meets the claim of the payout', async () => {
    const { client, exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    const fields = { ...PAYOUT_FIELDS, iban: 'GB29NWBK60161331926819' };
    const body = { version: approved.version, payout_fields: fields };
    await race(
      client.put(`/api/exchanges/${approved.number}/payout-fields`, body, { key: true }),
      second.post(`/api/admin/exchanges/${approved.number}/claim`, { version: approved.version }),
    );
  });

  rounds('two operators record the same payment', async () => {
    const one = await create((await api.asMember()).client);
    const other = await create((await api.asMember()).client);
    const payment = { amount: '100', reference: `SAME ${one.number}` };
    await race(act(admin, one, '/receipts', payment), act(second, other, '/receipts', payment));
  });

  rounds('two operators pay the same refund', async () => {
    const { exchange } = await claimed(api, admin);
    const paid = await receive(admin, exchange, '100');
    const pending = await done(
      act(admin, paid, '/refunds', { reason: 'Asked for.', account: 'Bank of Ann' }),
    );
    const path = `/refunds/${pending.refunds[0].id}/payment`;
    await race(
      act(admin, pending, path, { reference: 'ONE' }),
      act(second, pending, path, { reference: 'TWO' }),
    );
  });
});
