/** A reserve alert, from the form to the one email, and what strangers cannot cause with it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { startTestApi } from '#test/harness.ts';
import { checkReserveAlerts as checkAlerts } from './reserve-alerts.ts';
import { deleteEnded } from './store.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const guest = api.client();
await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'eur', { position: 2 });
await addPair(admin, 'usd', 'eur');
await stock(admin, 'eur', '100');

const PATH = '/api/public/reserve-alerts';
const CONFIRM = 'reserve-alert-confirm';
const ask = (email: string, changes: Json = {}) =>
  guest.post(PATH, { pair: 'usd-to-eur', amount: '2000', email, ...changes });
const link = async (email: string) => `${PATH}/${await secretOf(api, email, CONFIRM)}`;
const confirmed = async (email: string, amount = '2000') => {
  assert.equal((await ask(email, { amount })).status, 202);
  assert.equal((await guest.post(await link(email))).status, 204);
};
const kindsTo = async (email: string) => (await emailsTo(api, email)).map(({ kind }) => kind);
const check = () => checkAlerts(api.deps);
/** A moment of a reserve that covers 2,000. */
async function withMore(work: () => Promise<unknown>): Promise<void> {
  await stock(admin, 'eur', '1900');
  await work();
  await stock(admin, 'eur', '1900', 'out');
}

describe('a reserve alert', () => {
  it('is one email to a confirmed address when the amount can be paid out, also by checks at once', async () => {
    await confirmed('ana@example.com');
    assert.equal(await check(), 0);
    await withMore(async () => {
      await stock(admin, 'eur', '0.01', 'out');
      assert.equal(await check(), 0, 'a cent is missing');
      await stock(admin, 'eur', '0.01');
      const sent = await Promise.all([check(), check(), check()]);
      assert.deepEqual(sent.toSorted(), [0, 0, 1]);
    });
    await withMore(async () => assert.equal(await check(), 0, 'it has ended'));
    const [, email] = await emailsTo(api, 'ana@example.com');
    assert.equal(email?.subject, '2000.00 EUR can be paid out now');
    const { content } = (email?.data ?? {}) as Json;
    assert.equal(content.action.path, '/rates/usd-to-eur?side=receive&amount=2000.00');
    assert.equal((await guest.get(await link('ana@example.com'))).status, 404);
    assert.deepEqual(await api.db.selectFrom('reserve_alerts').selectAll().execute(), []);
  });

  it('is nothing before the address has confirmed, which opening the link does not do', async () => {
    await ask('bea@example.com');
    const path = await link('bea@example.com');
    const { body } = await guest.get(path);
    assert.deepEqual(
      [body.data.email, body.data.amount, body.data.receive.slug, body.data.state],
      ['bea@example.com', '2000.00', 'eur', 'pending'],
    );
    await withMore(async () => assert.equal(await check(), 0));
    assert.equal((await guest.post(path)).status, 204);
    assert.equal((await guest.post(path)).status, 204, 'twice is no error');
    await withMore(async () => assert.equal(await check(), 1));
  });

  it('ends by itself: the link after seven days, the alert after thirty', async () => {
    await confirmed('cem@example.com');
    await ask('dan@example.com');
    const path = await link('dan@example.com');
    const shift = (days: number) =>
      api.deps
        .sql`update reserve_alerts set ends_at = ends_at - ${days * DAY} * interval '1 millisecond'`;
    await shift(7);
    assert.equal((await guest.post(path)).status, 404);
    await deleteEnded(api.db, new Date());
    await shift(23);
    await withMore(async () => assert.equal(await check(), 0));
    await deleteEnded(api.db, new Date());
    assert.deepEqual(await api.db.selectFrom('reserve_alerts').selectAll().execute(), []);
  });

  it('is refused for what can be paid out now, and for what is no amount or pair', async () => {
    for (const [changes, field, words] of [
      [{ amount: '100' }, 'amount', '100.00 EUR can be paid out now.'],
      [{ amount: '0.001' }, 'amount', 'The amount field must have at most 2 decimals.'],
      [{ pair: 'eur-to-usd' }, 'pair', 'The selected pair is invalid.'],
    ] as const) {
      const { status, body } = await ask('eva@example.com', changes);
      assert.deepEqual([status, body.errors[field]], [422, [words]]);
    }
  });
});

describe('an address that a stranger types', () => {
  it('gets one email to confirm, and the same answer as any other', async () => {
    await confirmed('fay@example.com');
    for (const answer of [
      await ask('fay@example.com'),
      await ask('FAY@example.com'),
      await ask('gus@example.com'),
      await ask('gus@example.com'),
      await ask('bot@example.com', { website: 'x' }),
    ])
      assert.deepEqual([answer.status, answer.text], [202, '{"data":{"accepted":true}}']);
    assert.deepEqual(await kindsTo('fay@example.com'), [CONFIRM]);
    assert.deepEqual(await kindsTo('gus@example.com'), [CONFIRM]);
    assert.deepEqual(await kindsTo('bot@example.com'), []);
    for (let amount = 3000; amount < 3010; amount += 1)
      await ask('hal@example.com', { amount: String(amount) });
    assert.equal((await kindsTo('hal@example.com')).length, 2, 'two a day');
    const rows = await api.db
      .selectFrom('reserve_alerts')
      .select('id')
      .where('email', '=', 'hal@example.com')
      .execute();
    assert.equal(rows.length, 5);
  });
});
