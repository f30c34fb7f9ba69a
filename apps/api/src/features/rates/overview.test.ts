import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, believed, freshHour, usual } = desk;
const URL = '/api/admin/rates';

describe('GET /api/admin/rates', () => {
  it('tells the arithmetic of each plan and how old the rates are', async () => {
    await freshHour();
    await configure({
      providers: [
        { name: 'fixer', feed: 'hourly', monthly_quota: 100, cadence_hours: 1 },
        { name: 'frankfurter', feed: 'central_bank', monthly_quota: null, cadence_hours: 1 },
      ],
    });
    const now = await overview();
    assert.deepEqual(
      now.providers.map(({ label, quota, key, key_last_four }: Json) => [
        label,
        quota,
        key,
        key_last_four,
      ]),
      [
        [
          'Fixer',
          {
            plan: 100,
            cadence_hours: 1,
            needed: 744,
            used: 1,
            enough: false,
            fitting_hours: 8,
          },
          'set',
          fakes.fixer.key.slice(-4),
        ],
        [
          'Frankfurter (ECB)',
          {
            plan: null,
            cadence_hours: 1,
            needed: 744,
            used: 0,
            enough: true,
            fitting_hours: null,
          },
          'not_needed',
          '',
        ],
      ],
    );
    assert.deepEqual([now.missing, now.enabled], [[], true]);
    assert.equal(new Date(now.next_slot).getTime() % HOUR, 0);
    const state = async () =>
      (({ state, age_minutes }) => [state, age_minutes])(await believed('USD'));
    assert.deepEqual(await state(), ['live', 60]);
    api.clock.advance(40 * MINUTE);
    assert.deepEqual(await state(), ['delayed', 100]);
    api.clock.advance(81 * MINUTE);
    assert.deepEqual(await state(), ['stale', 181]);
  });

  it('lists runs by pages, the newest first', async () => {
    for (const _more of [1, 2]) await freshHour();
    const first = (await admin.get(`${URL}/runs`, { query: { per_page: 2 } })).body;
    assert.equal(first.data.length, 2);
    assert.ok(first.data[0].started_at >= first.data[1].started_at);
    const query = { per_page: 2, cursor: first.meta.next_cursor };
    const second = (await admin.get(`${URL}/runs`, { query })).body;
    assert.ok(second.data[0].started_at <= first.data[1].started_at);
    assert.notEqual(second.data[0].id, first.data[1].id);
    assert.equal((await admin.get(`${URL}/runs`, { query: { cursor: 'xx' } })).status, 422);
  });

  it('goes by settings in which each provider stands once and stale comes after delayed', async () => {
    const { version, value } = (await admin.get('/api/admin/settings/rate-api')).body.data;
    const twice = { ...value, providers: listed('fixer', 'fixer'), stale_minutes: 90 };
    const answer = await admin.put('/api/admin/settings/rate-api', { version, value: twice });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ['providers', 'stale_minutes']);
  });

  it('is for admins with the permission money', async () => {
    const { client: other } = await api.asAdmin({ permissions: ['settings'] });
    assert.equal((await other.get(URL)).status, 403);
    assert.equal((await api.client().get(URL)).status, 401);
  });
});

describe('when a provider has something new', () => {
  it('is told until the time has come', async () => {
    await freshHour();
    const next = new Date(api.clock.now().getTime() + MINUTE);
    await api.db.updateTable('rate_provider_states').set({ next_update_at: next }).execute();
    const told = async () => (await overview()).providers[0].next_update_at;
    assert.equal(await told(), next.toISOString());
    api.clock.advance(MINUTE);
    assert.equal(await told(), null);
  });
});

describe('POST /api/admin/rates/providers/{provider}/test', () => {
  const test = async (provider: string, body: Json = {}) => {
    const answer = await admin.post(`${URL}/providers/${provider}/test`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  it('asks with the stored key or a given one, and keeps neither key nor rates', async () => {
    await freshHour();
    const before = await overview();
    const well = await test('fixer');
    assert.deepEqual([well.ok, well.outcome, well.missing], [true, 'ok', []]);
    assert.ok(well.rates >= 3);
    const wrong = await test('fixer', { key: 'wrong-key-0123456789abcdef' });
    assert.deepEqual(
      [wrong.ok, wrong.outcome, wrong.message],
      [false, 'invalid_key', 'Fixer did not accept the key.'],
    );
    assert.notEqual(wrong.detail, '');
    assert.ok(!JSON.stringify(wrong).includes('0123456789abcdef'));
    const { server_time: _then, ...after } = await overview();
    const { server_time: _now, ...same } = before;
    // But that it was asked twice, and what it said to the stored key.
    same.providers[0].quota.used += 2;
    same.providers[0].last_answer = { at: well.asked_at, to: 'test', outcome: 'ok', message: null };
    assert.deepEqual(after, same);
  });

  it('asks nobody without a key, and those without need of one', async () => {
    assert.equal((await test('currencyapi')).outcome, 'no_key');
    const frankfurter = await test('frankfurter');
    assert.deepEqual([frankfurter.ok, frankfurter.missing], [true, ['BTC']]);
    assert.equal((await admin.post(`${URL}/providers/nobody/test`, {})).status, 404);
  });
});

describe('keys', () => {
  it('are in no answer, in no audit event, in no run and nowhere in clear', async () => {
    for (const name of ['openexchangerates', 'exchangerate-api'] as const) await setKey(name);
    await configure({ providers: listed('fixer', 'openexchangerates', 'exchangerate-api') });
    fakes.fixer.mood = { error: 'invalid_key' };
    await run();
    const secrets = [fakes.fixer.key, fakes.openexchangerates.key, fakes['exchangerate-api'].key];
    const answers = [
      await admin.get(URL),
      await admin.get(`${URL}/runs`),
      await admin.get('/api/admin/settings/rate-api'),
    ];
    const kept = [
      await api.db.selectFrom('audit_events').selectAll().execute(),
      await api.db.selectFrom('rate_runs').selectAll().execute(),
      await api.db.selectFrom('rate_provider_states').selectAll().execute(),
      await api.db.selectFrom('setting_secrets').selectAll().execute(),
    ].map((rows) => JSON.stringify(rows));
    assert.ok(kept.every((text) => text.length > 2));
    for (const secret of secrets)
      for (const text of [...answers.map((answer) => answer.text), ...kept])
        assert.ok(!text.includes(secret));
  });
});

describe('what is missing and why', () => {
  it('names the units that nothing connects, and of a rate the word of its own provider', async () => {
    await freshHour();
    await setKey('coingecko');
    await configure({ providers: listed('coingecko', 'fixer') });
    await run();
    assert.equal((await believed('BTC')).provider, 'coingecko');
    await addCurrency(admin, 'aed');
    await addPair(admin, 'aed', 'usd', { rate_mode: 'automatic' });
    assert.deepEqual((await overview()).missing, ['AED']);
    api.clock.advance(HOUR);
    fakes.fixer.mood = { error: 'quota_exceeded' };
    const coins = { ...fakes.coingecko.rates };
    fakes.coingecko.rates = Object.fromEntries(
      Object.entries(coins).filter(([name]) => !name.startsWith('bitcoin')),
    );
    await run();
    fakes.coingecko.rates = coins;
    const note = 'CoinGecko gave no rate of BTC, which it gave before.';
    assert.equal((await believed('BTC')).note, note);
    assert.match((await believed('GBP')).note, /Fixer/);
  });

  it('does not miss what a provider measures in, and speaks of figures in words', async () => {
    await freshHour();
    fakes.fixer.mood = 'reset';
    assert.ok(!(await run()).missing.includes('EUR'));
    fakes.fixer.mood = 'well';
    for (const [given, words] of [
      ['1e400', 'Fixer gave a figure for GBP that is too large to be kept.'],
      ['[0.85]', 'Fixer gave something for GBP that is no figure as documented.'],
      ['1e-30', 'Fixer gave a figure for GBP that is too small to be kept.'],
    ] as const) {
      fakes.fixer.rates = { ...usual, GBP: given };
      const { refusals } = await run();
      const refused = refusals.find(({ unit }: Json) => unit === 'GBP');
      assert.equal(refused?.message, words);
    }
  });
});
