/** Limits of customers and payout accounts: the refusals with their figures, and that races keep them. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { addCurrency, addPair, setDesk, stock } from '#test/desk.ts';
import {
  approve,
  cancel,
  claim,
  complete,
  create,
  createBody,
  deskPath,
  IBAN,
  passPayBy,
  quote,
  submitted,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { endOverdue } from '../actions/end-unpaid.ts';
import { openContext } from '../context.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const guest = api.client();
await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'eur', { position: 2 });
await addPair(admin, 'usd', 'eur');
await stock(admin, 'eur', '1000000');

/** A direction of its own, in which a euro gives a unit. */
async function openPair(to: string, reserve: string, changes: Json = {}) {
  await addCurrency(admin, to);
  await addPair(admin, 'eur', to, { mid_rate: '1', margin_percent: '0', ...changes });
  await stock(admin, to, reserve);
}
const member = async () => (await api.asMember()).client;
const ask = (client: Client, pair: string, amount: string) =>
  client.post('/api/public/quotes', { pair, side: 'send', amount });
const order = (client: Client, token: string, iban = IBAN) =>
  client.post(
    '/api/exchanges',
    { ...createBody(token), payout_fields: { holder: 'Alex Marlow', iban } },
    { key: true },
  );
const guestToken = async (pair: string, amount: string) => (await quote(guest, amount, pair)).token;
const codes = (answers: readonly { status: number; body: Json }[]) =>
  answers.map(({ status, body }) => (status === 201 ? 'made' : body.code)).toSorted();
const backdate = (number: string, days: number) =>
  api.db
    .updateTable('exchanges')
    .set({ created_at: new Date(Date.now() - days * DAY) })
    .where('number', '=', number)
    .execute();

describe('the limits of a direction', () => {
  it('count what was cancelled or expired for the day, with the reason, and not for the month', async () => {
    await openPair('sek', '1000000', { day_max_send: '1000', month_max_send: '1200' });
    const client = await member();
    const first = await create(client, '600', 'eur-to-sek');
    await cancel(client, first);
    const second = await create(client, '300', 'eur-to-sek');
    await passPayBy(api, second.number);
    await endOverdue(await openContext(api.deps));
    const { status, body } = await ask(client, 'eur-to-sek', '100.01');
    assert.equal(status, 422);
    assert.deepEqual(body.errors.amount, [
      'You can send 1000.00 EUR in 24 hours in this direction; 100.00 EUR of it are left. Cancelled and expired exchanges count for 24 hours.',
    ]);
    const refused = await order(client, await guestToken('eur-to-sek', '100.01'));
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit_exceeded']);
    await backdate(first.number, 2);
    await backdate(second.number, 2);
    assert.equal((await ask(client, 'eur-to-sek', '1000')).status, 200);
  });

  it('count a payout account once for all customers, however its number is written', async () => {
    await openPair('nok', '1000000', { day_max_send: '1000' });
    const [one, two] = [await member(), await member()];
    assert.equal((await order(one, await guestToken('eur-to-nok', '700'))).status, 201);
    const spaced = 'de89 3704 0044 0532 0130 00';
    const refused = await order(two, await guestToken('eur-to-nok', '300.01'), spaced);
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit_exceeded']);
    assert.equal(
      refused.body.message,
      'To one payout account 1000.00 EUR can be sent in 24 hours in this direction, by all customers together.',
    );
    const other = await order(
      two,
      await guestToken('eur-to-nok', '300.01'),
      'GB29NWBK60161331926819',
    );
    assert.equal(other.status, 201, other.text);
    const fits = await order(two, await guestToken('eur-to-nok', '300'), spaced);
    assert.equal(fits.status, 201, fits.text);
  });

  it('count a payout account that an exchange is changed to, and the exchange itself once', async () => {
    await openPair('all', '1000000', { day_max_send: '1000' });
    const [one, two] = [await member(), await member()];
    assert.equal((await order(one, await guestToken('eur-to-all', '700'))).status, 201);
    const change = ({ number, version }: Json, iban: string) =>
      two.put(
        `/api/exchanges/${number}/payout-fields`,
        { version, payout_fields: { holder: 'Alex Marlow', iban } },
        { key: true },
      );
    const other = 'GB94BARC10201530093459';
    const large = await order(two, await guestToken('eur-to-all', '300.01'), other);
    const refused = await change(large.body.data, IBAN);
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit_exceeded']);
    assert.match(refused.body.message, /^To one payout account 1000\.00 EUR/);
    const third = await change(large.body.data, 'GB29NWBK60161331926819');
    assert.equal(third.status, 200, third.text);
    const small = await order(two, await guestToken('eur-to-all', '300'), other);
    assert.equal((await change(small.body.data, IBAN)).status, 200);
  });

  it('hold for customers who use the same payout account at once', async () => {
    await openPair('dkk', '1000000', { day_max_send: '1000' });
    const people = await Promise.all([1, 2, 3, 4].map(member));
    const tokens = await Promise.all(people.map(() => guestToken('eur-to-dkk', '500')));
    const answers = await Promise.all(
      people.map((client, at) => order(client, tokens[at] as string)),
    );
    assert.deepEqual(codes(answers), ['limit_exceeded', 'limit_exceeded', 'made', 'made']);
  });
});

describe('the limits over all directions', () => {
  // The customers of these tests share one payout account.
  beforeEach(() => api.db.updateTable('exchanges').set({ payout_account_key: null }).execute());
  after(() => setDesk(admin, { customer_day_limit: '0', customer_month_limit: '0' }));

  it('add up what different currencies are worth, with the figures left', async () => {
    await setDesk(admin, { customer_day_limit: '1000', customer_month_limit: '1500.50' });
    // A krona is worth 0.1 euros, and a euro 1 / 0.92 dollars.
    await openPair('isk', '1000000');
    await addPair(admin, 'isk', 'eur', { mid_rate: '0.1', margin_percent: '0' });
    const client = await member();
    const first = await create(client, '500', 'usd-to-eur');
    await create(client, '920', 'isk-to-eur');
    const left =
      'You can send amounts worth 1000.00 USD in 24 hours over all directions together; 400.00 USD of it are left.';
    const { status, body } = await ask(client, 'eur-to-isk', '368.01');
    assert.deepEqual([status, body.errors.amount], [422, [left]]);
    const refused = await order(client, await guestToken('eur-to-isk', '368.01'));
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit_exceeded']);
    assert.equal(refused.body.message, left);
    await cancel(client, first);
    assert.match(
      (await ask(client, 'usd-to-eur', '400.01')).body.message,
      /400\.00 USD of it are left\. Cancelled and/,
    );
    assert.equal((await ask(client, 'usd-to-eur', '400')).status, 200);
    assert.equal((await ask(client, 'eur-to-isk', '368')).status, 200);
  });

  it('keep the value of each exchange as it was created, for the month too', async () => {
    const client = await member();
    const old = await create(client, '1000');
    await backdate(old.number, 5);
    const { version } = (await admin.get('/api/admin/pairs/usd-to-eur')).body.data;
    const rate = { version, mid_rate: '0.5', confirm_rate: '0.4950' };
    await admin.put('/api/admin/pairs/usd-to-eur/rate', rate);
    const { body } = await ask(client, 'usd-to-eur', '500.51');
    assert.match(body.message, /1500\.50 USD in 30 days .* 500\.50 USD of it are left\.$/);
    const values = await api.db
      .selectFrom('exchanges')
      .select(['reporting_value', 'reporting_unit'])
      .where('number', '=', old.number)
      .executeTakeFirst();
    assert.deepEqual(values, { reporting_value: '1000.000000000000000000', reporting_unit: 'USD' });
    const back = { version: version + 1, mid_rate: '0.92', confirm_rate: '0.9108' };
    assert.equal((await admin.put('/api/admin/pairs/usd-to-eur/rate', back)).status, 200);
  });

  it('count what a recalculation made of an amount, which nothing else changes', async () => {
    const client = await member();
    const { number, version } = await claim(admin, await submitted(client, '400'));
    const body = { version, received_amount: '900', difference: 'recalculate_locked' };
    const approved = await admin.post(deskPath(number, '/approval'), body, { key: true });
    assert.equal(approved.body.data.send_amount, '900.00', approved.text);
    assert.match((await ask(client, 'usd-to-eur', '100.01')).body.message, /; 100\.00 USD of it/);
    assert.equal((await ask(client, 'usd-to-eur', '100')).status, 200);
    await assert.rejects(
      api.deps.sql`update exchanges set reporting_value = 1 where number = ${number}`,
      /are frozen/,
    );
  });

  it('count a payout account once for all customers, also at once and in several directions', async () => {
    const iban = 'GB33BUKB20201555555555';
    const people = await Promise.all([1, 2, 3].map(member));
    const tokens = await Promise.all(
      people.map((_, at) => guestToken(at === 0 ? 'eur-to-isk' : 'usd-to-eur', '400')),
    );
    const answers = await Promise.all(
      people.map((client, at) => order(client, tokens[at] as string, iban)),
    );
    assert.deepEqual(codes(answers), ['limit_exceeded', 'made', 'made']);
    assert.equal(
      answers.find(({ status }) => status === 409)?.body.message,
      'To one payout account amounts worth 1000.00 USD can be sent in 24 hours over all directions, by all customers together.',
    );
  });

  it('refuse what cannot be valued only while there is a limit', async () => {
    await addCurrency(admin, 'xof');
    await addCurrency(admin, 'xaf');
    await addPair(admin, 'xof', 'xaf', { mid_rate: '1' });
    await stock(admin, 'xaf', '10000');
    const client = await member();
    const { body } = await ask(client, 'xof-to-xaf', '100');
    assert.match(body.message, /^What this is worth in USD is not known at the moment/);
    await setDesk(admin, { customer_day_limit: '0', customer_month_limit: '0' });
    await create(client, '100', 'xof-to-xaf');
  });
});

describe('an exchange that was rejected without a payment', () => {
  it('counts as an open one for seven days', async () => {
    const client = await member();
    for (let count = 0; count < 4; count += 1) await create(client);
    const { number, version } = await claim(admin, await submitted(client));
    const body = { version, reason: 'The proof is not of a payment.' };
    const path = deskPath(number, '/rejection');
    assert.equal((await admin.post(path, body, { key: true })).status, 200);
    const { token } = await quote(client);
    const refused = await order(client, token);
    assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_open']);
    assert.match(refused.body.message, /You have 4, and 1 that were rejected without a payment/);
    await api.db
      .updateTable('exchanges')
      .set({ state_changed_at: new Date(Date.now() - 7 * DAY - 1000) })
      .where('number', '=', number)
      .execute();
    assert.equal((await order(client, token)).status, 201);
  });
});

describe('a customer without a completed exchange', () => {
  it('holds a share of the reserve at most, all open exchanges together', async () => {
    await openPair('pln', '1000');
    const client = await member();
    await create(client, '150', 'eur-to-pln');
    const sentence =
      'Until your first exchange is completed, only a part of the reserve is held for you: at most 50.00 PLN can be paid out to you now.';
    const { status, body } = await ask(client, 'eur-to-pln', '50.01');
    assert.deepEqual([status, body.errors.amount], [422, [sentence]]);
    const refused = await order(client, await guestToken('eur-to-pln', '50.01'));
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.message],
      [409, 'limit_exceeded', sentence],
    );
    await create(client, '50', 'eur-to-pln');
    const full = await ask(client, 'eur-to-pln', '10');
    assert.match(full.body.message, /: no more can be paid out to you now\.$/);
    // What others hold is a part of the reserve still.
    await create(await member(), '200', 'eur-to-pln');
  });

  it('holds as much as anyone after the first completed one', async () => {
    await openPair('czk', '1000');
    const client = await member();
    const approved = await approve(admin, await claim(admin, await submitted(client, '100')));
    assert.equal((await ask(client, 'eur-to-czk', '900')).status, 422);
    await complete(admin, approved);
    await create(client, '900', 'eur-to-czk');
  });

  it('cannot pass the share by requests at once', async () => {
    await openPair('huf', '1000');
    const client = await member();
    const tokens = await Promise.all([1, 2, 3, 4].map(() => guestToken('eur-to-huf', '100')));
    const answers = await Promise.all(tokens.map((token) => order(client, token)));
    assert.deepEqual(codes(answers), ['limit_exceeded', 'limit_exceeded', 'made', 'made']);
  });

  it('is never told of more than the site shows', async () => {
    await openPair('ron', '1000');
    await setDesk(admin, { reserve_display_cap: [{ currency: 'ron', amount: '80' }] });
    const { body } = await ask(await member(), 'eur-to-ron', '500');
    assert.match(body.message, /at most 80\.00 RON can/);
  });
});

describe('two customers who race for the last of a reserve', () => {
  it('get it once, and one clear refusal', async () => {
    await openPair('bgn', '100');
    await setDesk(admin, { new_customer_reserve_percent: 100 });
    const people = await Promise.all([1, 2].map(member));
    const tokens = await Promise.all(people.map(() => guestToken('eur-to-bgn', '100')));
    const answers = await Promise.all(
      people.map((client, at) => order(client, tokens[at] as string)),
    );
    assert.deepEqual(codes(answers), ['insufficient_reserve', 'made']);
  });
});
