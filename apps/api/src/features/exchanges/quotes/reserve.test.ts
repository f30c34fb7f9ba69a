/** The reserve in quotes and in public answers, and the cap of what they show of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { settingsName } from '#features/content/settings/settings.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, setDesk, stock } from '#test/desk.ts';
import { eventually } from '#test/eventually.ts';
import { readXml, byName, setFeeds } from '#test/factories/feeds.ts';
import { create } from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const guest = api.client();
await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'eur', { position: 2 });
await addPair(admin, 'usd', 'eur', { max_send: '50000' });
await stock(admin, 'eur', '1000');

const ask = (amount: string, side = 'receive', pair = 'usd-to-eur') =>
  guest.post('/api/public/quotes', { pair, side, amount });
const converter = async () => (await guest.get('/api/public/currencies-converter')).body.data;
const shown = async () => {
  const { reserve, reserve_capped } = (await converter()).currencies.find(
    ({ slug }: Json) => slug === 'eur',
  );
  return [reserve, reserve_capped];
};
const untilShown = (...expected: [string, boolean]) =>
  eventually(`${expected.join()} is shown`, async () => String(await shown()) === String(expected));

/** Until every announced change was received, nothing that follows it is cached. */
const untilCached = () =>
  eventually('reserves are cached', async () => {
    let builds = 0;
    const options = { follows: ['reserves', settingsName('desk')] };
    const name = `probe ${randomUUID()}`;
    for (const _ of [1, 2])
      await api.deps.published.cached(name, async () => (builds += 1), options);
    return builds === 1;
  });

beforeEach(() => setDesk(admin, { reserve_display_cap: [] }));

describe('a quote above the reserve', () => {
  it('is refused with the largest amount that can be paid out now, which is then given', async () => {
    const { status, body } = await ask('1000.01');
    assert.equal(status, 422);
    // A US cent is 0.9108 euro cents, so each payout up to the reserve can be reached.
    const message = 'At most 1000.00 EUR can be paid out now.';
    assert.deepEqual(body, { message, code: 'reserve_exceeded', errors: { amount: [message] } });
    assert.equal((await ask('1000.00')).status, 200);
    assert.equal((await ask('1097.95', 'send')).body.code, 'reserve_exceeded');
    assert.equal((await ask('1097.94', 'send')).status, 200);
  });

  it('names an amount that the rate reaches, where a send unit is worth more than a payout unit', async () => {
    await addCurrency(admin, 'jpy', { decimals: 0 });
    await addPair(admin, 'jpy', 'eur', {
      mid_rate: '3.5',
      margin_percent: '0',
      min_send: '10',
      payout_step: '0.20',
    });
    const { body } = await ask('1000.01', 'receive', 'jpy-to-eur');
    assert.equal(body.message, 'At most 997.40 EUR can be paid out now.');
    const { status, body: given } = await ask('997.40', 'receive', 'jpy-to-eur');
    assert.deepEqual([status, given.data.receive_amount], [200, '997.40']);
  });

  it('is refused without a figure where the reserve is below the least amount', async () => {
    await addCurrency(admin, 'gbp');
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '9.09');
    const { body } = await ask('100', 'send', 'usd-to-gbp');
    assert.equal(body.code, 'reserve_exceeded');
    assert.equal(body.message, 'GBP (Bank transfer) cannot be paid out at the moment.');
  });

  it('is refused by the limit of the pair where that is tighter', async () => {
    await addCurrency(admin, 'chf');
    await addPair(admin, 'usd', 'chf', { max_send: '100' });
    await stock(admin, 'chf', '1000');
    const { body } = await ask('5000', 'send', 'usd-to-chf');
    assert.equal(body.code, 'validation_failed');
    assert.deepEqual(body.errors.amount, ['You can send at most 100.00 USD at a time.']);
  });
});

it('the limits of a customer over all pairs are shown with the reserves', async () => {
  const none = { unit: 'USD', day: null, month: null };
  assert.deepEqual((await converter()).customer_limits, none);
  await setDesk(admin, { customer_day_limit: '5000' });
  const limits = { ...none, day: '5000' };
  await eventually('the limit is shown', async () =>
    isDeepStrictEqual((await converter()).customer_limits, limits),
  );
  await setDesk(admin, { customer_day_limit: '0' });
});

describe('what is shown of a reserve', () => {
  it('is what can be paid out, with a change by an admin at once', async () => {
    await untilShown('1000.00', false);
    await stock(admin, 'eur', '500.5');
    await untilShown('1500.50', false);
    await stock(admin, 'eur', '500.5', 'out');
    await untilShown('1000.00', false);
  });

  it('is the same answer while exchanges move the reserve, for some seconds', async (t) => {
    const path = '/api/public/currencies-converter';
    await untilShown('1000.00', false);
    await untilCached();
    const { headers } = await guest.get(path);
    const { client } = await api.asMember();
    await create(client, '100');
    const again = await guest.get(path, { headers: { 'if-none-match': String(headers['etag']) } });
    assert.equal(again.status, 304);
    const started = performance.now();
    t.mock.method(performance, 'now', () => started + 5_001);
    assert.deepEqual(await shown(), ['908.92', false]);
  });

  it('never exceeds the cap, in the converter, in a refusal and in feeds', async () => {
    await setDesk(admin, { reserve_display_cap: [{ currency: 'eur', amount: '250.005' }] });
    await untilShown('250.00', true);
    const { body } = await ask('4000');
    assert.equal(body.message, 'At most 250.00 EUR can be paid out now.');
    assert.equal((await ask('900')).status, 200, 'between cap and reserve it is simply allowed');
    await setFeeds(admin, { enabled: true });
    const { text } = await guest.get('/api/public/export/bestchange.xml');
    const [item] = byName(await readXml(api.db, text));
    assert.equal(item?.['amount'], '250');
    await setDesk(admin, { reserve_display_cap: [{ currency: 'eur', amount: '5000' }] });
    await untilShown('908.92', false);
  });
});
