/** Every digit of a rate is preserved from a provider's answer to the API's JSON. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rateKeyName } from '@cambist/contract/rate-settings';
import { addCurrency, addPair, setDesk, stock } from '#test/desk.ts';
import { createBody } from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { startRateProviders } from '#test/fakes/rate-providers.ts';
import { listed } from '#test/factories/rates.ts';

const RATE = '0.876543210987654321';
/** 10^24, less one minor unit of 18 decimals. */
const SENT = '999999999999999999999999.999999999999999999';
const LARGEST = '1000000000000000000000000';

const fakes = await startRateProviders({ after });
const api = await startTestApi({ after }, { env: fakes.environment });
const { client: admin } = await api.asAdmin();
fakes.clock = api.clock.now;
// A number of JSON: as a double it would end after 16 digits.
fakes.fixer.rates = { GBP: '8.76543210987654321e-1' };
for (const unit of ['eur', 'gbp']) await addCurrency(admin, unit, { decimals: 18 });
await addPair(admin, 'eur', 'gbp', {
  rate_mode: 'automatic',
  margin_percent: '0',
  rate_digits: 18,
  min_send: '0.000000000000000100',
  max_send: LARGEST,
});
await setDesk(admin, { new_customer_reserve_percent: 100 });
for (let times = 0; times < 2; times += 1) await stock(admin, 'gbp', LARGEST);

describe('a rate of 18 decimals and an amount of 10^24', () => {
  it('have every digit in the database, in every answer and in the exchange', async () => {
    const settings = '/api/admin/settings/rate-api';
    const { version, value } = (await admin.get(settings)).body.data;
    const providers = listed('fixer');
    await admin.put(settings, { version, value: { ...value, enabled: true, providers } });
    await admin.put(`${settings}/secrets/${rateKeyName('fixer')}`, { secret: fakes.fixer.key });
    const run = await admin.post('/api/admin/rates/runs');
    assert.equal(run.body.data?.outcome, 'updated', run.text);

    const stored = await Promise.all([
      api.db.selectFrom('market_rates').select('rate').where('unit', '=', 'GBP').execute(),
      api.db.selectFrom('pairs').select('mid_rate as rate').execute(),
      api.db.selectFrom('pair_rates').select('mid_rate as rate').execute(),
    ]);
    assert.deepEqual(stored, [[{ rate: RATE }], [{ rate: RATE }], [{ rate: RATE }]]);

    const { text: converter } = await api.client().get('/api/public/currencies-converter');
    const { text: showcase } = await api.client().get('/api/public/rates-showcase');
    for (const text of [converter, showcase]) assert.ok(text.includes(`"rate":"${RATE}"`), text);
    assert.ok(converter.includes(`"max":"${LARGEST}.000000000000000000"`), converter);

    const { client } = await api.asMember();
    const quote = await client.post('/api/public/quotes', {
      pair: 'eur-to-gbp',
      side: 'send',
      amount: SENT,
    });
    // By whole numbers alone: 10^42 − 1 minor units at a rate of so many millionths of millionths.
    const payout = ((10n ** 42n - 1n) * BigInt(RATE.slice(2))) / 10n ** 18n;
    const received = `${payout / 10n ** 18n}.${String(payout % 10n ** 18n).padStart(18, '0')}`;
    assert.equal(received, '876543210987654320999999.999999999999999999');
    const { data } = quote.body;
    assert.deepEqual(
      [data.send_amount, data.rate, data.mid_rate, data.receive_amount],
      [SENT, RATE, RATE, received],
      quote.text,
    );

    const made = await client.post('/api/exchanges', createBody(data.token), { key: true });
    assert.equal(made.status, 201, made.text);
    const { send_amount, receive_amount, rate, mid_rate } = made.body.data;
    assert.deepEqual([send_amount, rate, mid_rate, receive_amount], [SENT, RATE, RATE, received]);
    const row = await api.db
      .selectFrom('exchanges')
      .select(['send_minor', 'rate', 'payout_minor'])
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { send_minor: 10n ** 42n - 1n, rate: RATE, payout_minor: payout });

    const back = await client.post('/api/public/quotes', {
      pair: 'eur-to-gbp',
      side: 'receive',
      amount: received,
    });
    assert.equal(back.body.data.receive_amount, received);
  });
});
