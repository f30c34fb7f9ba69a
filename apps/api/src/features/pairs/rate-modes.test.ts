/** Where a pair's rate comes from: the market, a formula of it, or an admin. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import { readMarket, writeRates } from '#features/rates/market/market.ts';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft, sayYes } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { acceptRates } from '#test/factories/market.ts';
import { applyMarketRates } from './market-rates.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const URL = '/api/admin/pairs';
for (const unit of ['usd', 'eur', 'btc', 'gbp']) await addCurrency(admin, unit);
await addCurrency(admin, 'usd-cash', { unit: 'USD' });

const get = async (slug: string): Promise<Json> => (await admin.get(`${URL}/${slug}`)).body.data;
async function patch(slug: string, changes: Json) {
  const { version } = await get(slug);
  return sayYes((yes) => admin.patch(`${URL}/${slug}`, { version, ...changes, ...yes }));
}
const history = async (slug: string) =>
  api.db
    .selectFrom('pair_rates as r')
    .innerJoin('pairs as p', 'p.id', 'r.pair_id')
    .select(['r.mid_rate', 'r.source', 'r.set_by'])
    .where('p.slug', '=', slug)
    .orderBy('r.id')
    .execute();

describe('an automatic pair', () => {
  it('is paused with a reason while the market has no rate of its unit', async () => {
    const pair = await addPair(admin, 'eur', 'usd', { rate_mode: 'automatic' });
    assert.deepEqual([pair.mid_rate, pair.rate, pair.state], [null, null, 'paused']);
    assert.equal(pair.state_reason, 'The market has no rate from EUR to USD.');
    assert.deepEqual(await history('eur-to-usd'), []);
  });

  it('takes the market’s rate from the next run without a new version', async () => {
    const before = await get('eur-to-usd');
    await acceptRates(api, { USD: '1.094712345678901234', BTC: '0.000017' });
    const pair = await get('eur-to-usd');
    assert.deepEqual(
      [pair.mid_rate, pair.mid_source, pair.state, pair.state_reason, pair.version],
      ['1.094712345678901234', 'fixer', 'live', null, before.version],
    );
    assert.equal(pair.updated_at, before.updated_at);
    assert.equal(pair.rate, '1.0837');
    assert.deepEqual(await history('eur-to-usd'), [
      { mid_rate: '1.094712345678901234', source: 'fixer', set_by: null },
    ]);
  });

  it('has the market’s rate at once where there is one', async () => {
    const pair = await addPair(admin, 'btc', 'eur', { rate_mode: 'automatic' });
    assert.deepEqual([pair.mid_rate, pair.state], ['58823.529411764705882352', 'live']);
    const same = await addPair(admin, 'usd', 'usd-cash', { rate_mode: 'automatic' });
    assert.deepEqual(
      [same.mid_rate, same.mid_source, same.mid_confirmed_at, same.stale_at, same.state],
      ['1', 'same unit', null, null, 'live'],
    );
  });

  it('refuses a manual rate', async () => {
    const answer = await admin.post(URL, {
      ...pairDraft('gbp', 'eur', { rate_mode: 'automatic' }),
      mid_rate: '1.1',
      mid_until: '2099-01-01T00:00:00.000Z',
    });
    assert.deepEqual(Object.keys(answer.body.errors), ['mid_rate', 'mid_until']);
  });

  it('stays at its last rate, with its age, when the market has none any more', async () => {
    const before = await get('btc-to-eur');
    await api.db.deleteFrom('market_rates').where('unit', '=', 'BTC').execute();
    await acceptRates(api, { USD: '1.1' });
    const pair = await get('btc-to-eur');
    assert.deepEqual(
      [pair.mid_rate, pair.mid_confirmed_at],
      [before.mid_rate, before.mid_confirmed_at],
    );
  });

  it('is paused exactly while the customer’s rate is outside its bounds', async () => {
    assert.equal((await patch('eur-to-usd', { rate_max: '1.09', rate_min: '1' })).status, 200);
    assert.equal((await get('eur-to-usd')).state, 'live');
    await acceptRates(api, { USD: '1.2' });
    const out = await get('eur-to-usd');
    assert.deepEqual([out.state, out.mid_rate], ['paused', '1.2']);
    assert.match(out.state_reason, /1\.1880 lies above the highest allowed, 1\.09/);
    await acceptRates(api, { USD: '1.1' });
    assert.equal((await get('eur-to-usd')).state, 'live');
  });
});

describe('a pair by formula', () => {
  it('is computed from the market, and follows it', async () => {
    const formula = 'eur/usd * 1.01 + 0.5';
    const pair = await addPair(admin, 'usd', 'eur', { rate_mode: 'formula', formula });
    assert.deepEqual([pair.formula, pair.mid_rate], [formula, '1.611']);
    await acceptRates(api, { USD: '1.2' });
    assert.equal((await get('usd-to-eur')).mid_rate, '1.712');
  });

  it('is validated when it is saved', async () => {
    const cases: [Json, string[]][] = [
      [{ rate_mode: 'formula' }, ['formula']],
      [{ rate_mode: 'formula', formula: 'eur/usd +' }, ['formula']],
      [{ rate_mode: 'formula', formula: 'eur' }, ['formula']],
      [{ rate_mode: 'automatic', formula: '1' }, ['formula']],
      [{ rate_mode: 'formula', formula: '0.00001' }, ['rate_digits']],
    ];
    for (const [changes, fields] of cases) {
      const answer = await patch('eur-to-usd', changes);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors), fields);
    }
    const wrong = await patch('eur-to-usd', { rate_mode: 'formula', formula: 'eur/usd % 2' });
    assert.match(wrong.body.errors.formula[0], /"%" is neither .* \(At character 9\.\)/);
  });

  it('stays at its last rate where the market lacks one of its rates, and names that', async () => {
    const changes = { rate_mode: 'formula', formula: 'eur/gbp + 1' };
    const { body } = await patch('usd-to-eur', changes);
    assert.deepEqual([body.data.state, body.data.mid_rate], ['live', '1.712']);
    assert.equal(
      body.data.state_reason,
      'The market has no rate for eur/gbp. The last rate stays in force until a run brings one.',
    );
    await acceptRates(api, { GBP: '0.85' });
    const pair = await get('usd-to-eur');
    assert.deepEqual([pair.state, pair.mid_rate], ['live', '1.85']);
  });
});

describe('a manual rate', () => {
  it('makes any pair manual, and no run changes it', async () => {
    const { version } = await get('usd-to-eur');
    const rate = { version, mid_rate: '0.9' };
    const answer = await sayYes((yes) => admin.put(`${URL}/usd-to-eur/rate`, { ...rate, ...yes }));
    assert.equal(answer.status, 200, answer.text);
    const { data } = answer.body;
    assert.deepEqual(
      [data.rate_mode, data.formula, data.mid_rate, data.mid_source, data.mid_confirmed_at],
      ['manual', null, '0.9', 'manual', null],
    );
    assert.equal(data.version, version + 1);
    await acceptRates(api, { USD: '1.3' });
    assert.equal((await get('usd-to-eur')).mid_rate, '0.9');
    assert.equal((await history('usd-to-eur')).at(-1)?.mid_rate, '0.900000000000000000');
  });

  it('may have an end in the future', async () => {
    const { version } = await get('usd-to-eur');
    const put = (mid_until: string) =>
      sayYes((yes) =>
        admin.put(`${URL}/usd-to-eur/rate`, { version, mid_rate: '0.91', mid_until, ...yes }),
      );
    const past = await put(new Date(Date.now() - HOUR).toISOString());
    assert.deepEqual(Object.keys(past.body.errors), ['mid_until']);
    const end = new Date(Date.now() + HOUR).toISOString();
    const { data } = (await put(end)).body;
    assert.deepEqual([data.mid_until, data.stale_at, data.state], [end, end, 'live']);
  });

  it('loses its end with the next rate or another mode', async () => {
    const { version } = await get('usd-to-eur');
    const rate = { version, mid_rate: '0.92' };
    const put = await sayYes((yes) => admin.put(`${URL}/usd-to-eur/rate`, { ...rate, ...yes }));
    assert.equal(put.body.data.mid_until, null);
    const { body } = await patch('usd-to-eur', { rate_mode: 'automatic' });
    assert.deepEqual([body.data.mid_rate, body.data.mid_until], ['0.76923076923076923', null]);
    const manual = (await patch('usd-to-eur', { rate_mode: 'manual' })).body.data;
    assert.deepEqual(
      [manual.mid_rate, manual.mid_source, manual.mid_confirmed_at, manual.state],
      ['0.76923076923076923', 'manual', null, 'live'],
    );
    assert.equal((await history('usd-to-eur')).at(-1)?.source, 'manual');
  });

  it('is required for a new manual pair', async () => {
    const { mid_rate: _none, ...draft } = pairDraft('gbp', 'eur');
    const answer = await admin.post(URL, draft);
    assert.deepEqual(Object.keys(answer.body.errors), ['mid_rate']);
  });
});

describe('an admin and a run at the same time', () => {
  it('lose no update: a pair that turns automatic has the newest rate', async () => {
    await acceptRates(api, { USD: '1.3' });
    const { version } = await get('usd-to-eur');
    const { saving } = await transaction(api.db, async (tx) => {
      const confirmedAt = new Date();
      await writeRates(tx, [
        {
          unit: 'USD',
          base: 'EUR',
          rate: '1.25',
          inverted: false,
          provider: 'fixer',
          asOf: confirmedAt,
          confirmedAt,
          freshUntil: new Date(confirmedAt.getTime() + HOUR),
        },
      ]);
      await applyMarketRates(api.deps, tx, await readMarket(tx));
      // The run has skipped the manual pair and is not committed: the admin's update waits for it.
      const change = { version, rate_mode: 'automatic', confirm_rate: '0.7920' };
      const patched = admin.patch(`${URL}/usd-to-eur`, change);
      const late = new Promise((resolve) => setTimeout(resolve, 150, 'waits'));
      assert.equal(await Promise.race([patched, late]), 'waits');
      return { saving: patched };
    });
    assert.equal((await saving).status, 200);
    const pair = await get('usd-to-eur');
    assert.deepEqual([pair.rate_mode, pair.mid_rate], ['automatic', '0.8']);
    assert.equal(pair.version, version + 1);
  });

  it('neither deadlock nor cause a version conflict', async () => {
    const { version } = await get('usd-to-eur');
    const runs = Array.from({ length: 6 }, (_, at) => acceptRates(api, { USD: `1.2${at}` }));
    const edits = Array.from({ length: 6 }, (_, position) =>
      admin.patch(`${URL}/usd-to-eur`, { version, position }),
    );
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    await Promise.all(runs);
    assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409, 409, 409]);
    const pair = await get('usd-to-eur');
    const [market] = await api.db
      .selectFrom('market_rates')
      .select('rate')
      .where('unit', '=', 'USD')
      .execute();
    const expected: Record<string, string> = {
      '1.200000000000000000': '0.833333333333333333',
      '1.210000000000000000': '0.826446280991735537',
      '1.220000000000000000': '0.819672131147540983',
      '1.230000000000000000': '0.813008130081300813',
      '1.240000000000000000': '0.806451612903225806',
      '1.250000000000000000': '0.8',
    };
    assert.equal(pair.mid_rate, expected[market?.rate ?? '']);
  });

  it('keep a manual rate that was set during runs', async () => {
    const { version } = await get('usd-to-eur');
    const [answer] = await Promise.all([
      admin.put(`${URL}/usd-to-eur/rate`, { version, mid_rate: '0.5', confirm_rate: '0.495' }),
      acceptRates(api, { USD: '1.3' }),
      acceptRates(api, { USD: '1.31' }),
    ]);
    assert.equal(answer.status, 200, answer.text);
    const { mid_rate, rate_mode } = await get('usd-to-eur');
    assert.deepEqual([mid_rate, rate_mode], ['0.5', 'manual']);
  });
});
