import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { startRateProviders } from '#test/rate-providers.ts';

const fakes = await startRateProviders({ after });
const api = await startTestApi({ after }, { env: fakes.environment });
fakes.clock = api.clock.now;
const { client: admin } = await api.asAdmin({ name: 'Robin Okafor' });
const URL = '/api/admin/rates';
api.clock.set(new Date('2026-03-14T12:00:20Z'));

for (const unit of ['eur', 'usd', 'gbp', 'btc']) await addCurrency(admin, unit);
for (const [send, receive] of [
  ['eur', 'usd'],
  ['usd', 'gbp'],
  ['btc', 'eur'],
] as const)
  await addPair(admin, send, receive, { mid_rate: '1.5' });
await addPair(admin, 'usd', 'eur', { mid_rate: '0.9' });
await api.db
  .updateTable('pairs')
  .set({ rate_mode: 'automatic' })
  .where('slug', '<>', 'usd-to-eur')
  .execute();

async function configure(changes: Json = {}): Promise<void> {
  const { version, value } = (await admin.get('/api/admin/settings/rate-api')).body.data;
  const providers = [{ name: 'fixer', feed: 'hourly', monthly_quota: 100 }];
  const answer = await admin.put('/api/admin/settings/rate-api', {
    version,
    value: { ...value, enabled: true, providers, ...changes },
  });
  assert.equal(answer.status, 200, answer.text);
}

async function setKey(provider: string, secret: string | null): Promise<void> {
  const name = `${provider.replaceAll('-', '_')}_key`;
  const answer = await admin.put(`/api/admin/settings/rate-api/secrets/${name}`, { secret });
  assert.equal(answer.status, 200, answer.text);
}

const list = (...names: string[]) =>
  names.map((name) => ({ name, feed: 'hourly', monthly_quota: null }));
const run = async () => {
  const answer = await admin.post(`${URL}/runs`);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
};
const overview = async () => (await admin.get(URL)).body.data;
const believed = async (unit: string) =>
  (await overview()).rates.find((rate: Json) => rate.unit === unit);
const mid = (slug: string) =>
  api.db.selectFrom('pairs').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();
const fixer = () => fakes.fixer;

/** The next hour, with everybody well and the believed rates as they come then. */
async function freshHour(): Promise<void> {
  for (const name of ['fixer', 'openexchangerates', 'coingecko', 'frankfurter'] as const) {
    fakes[name].mood = 'well';
    fakes[name].asOf = null;
  }
  fixer().rates = { ...usual };
  await api.db.deleteFrom('rate_provider_states').execute();
  await api.db.deleteFrom('rate_quarantine').execute();
  api.clock.advance(HOUR);
  await configure();
  await run();
  api.clock.advance(HOUR);
}
const usual = { ...fixer().rates, BTC: '0.00001786', GBP: '0.85852', USD: '1.0947' };

describe('POST /api/admin/rates/runs', () => {
  it('is refused while the synchronisation is switched off', async () => {
    const answer = await admin.post(`${URL}/runs`);
    assert.deepEqual([answer.status, answer.body.code], [409, 'rates_disabled']);
    await api.scheduler.tick(api.clock.now());
    assert.equal(fixer().requests.length, 0);
  });

  it('asks nobody without a key', async () => {
    await configure();
    const { outcome, attempts } = await run();
    assert.equal(outcome, 'skipped');
    assert.deepEqual(
      attempts.map((each: Json) => [each.provider, each.outcome, each.message]),
      [['fixer', 'no_key', 'No key for Fixer is set.']],
    );
    assert.equal(fixer().requests.length, 0);
  });

  it('believes what comes, in one request, and lets it flow to all automatic pairs', async () => {
    fixer().rates = { ...usual };
    await setKey('fixer', fixer().key);
    const before = await mid('usd-to-gbp');
    const result = await run();
    assert.deepEqual(
      [result.outcome, result.trigger, result.actor, result.missing, result.refusals],
      ['updated', 'admin', 'Robin Okafor', [], []],
    );
    assert.equal(result.accepted, 3);
    assert.equal(fixer().requests.length, 1);
    const now = api.clock.now();
    const pair = await mid('eur-to-usd');
    assert.deepEqual(
      [pair.mid_rate, pair.mid_source, pair.mid_confirmed_at],
      ['1.094700000000000000', 'fixer', now],
    );
    assert.deepEqual(pair.mid_as_of, new Date('2026-03-14T12:00:00Z'));
    assert.deepEqual(pair.mid_fresh_until, new Date('2026-03-14T15:00:00Z'));
    const crossed = await mid('usd-to-gbp');
    // 0.85852 / 1.0947, cut after 18 decimals.
    assert.equal(crossed.mid_rate, '0.784251393075728510');
    assert.equal(crossed.version, before.version);
    assert.equal((await mid('usd-to-eur')).mid_rate, '0.900000000000000000');
    const history = await api.db
      .selectFrom('pair_rates')
      .select(['mid_rate', 'source'])
      .where('pair_id', '=', crossed.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(history.at(-1), { mid_rate: '0.784251393075728510', source: 'fixer' });
  });

  it('tells what did not change, and confirms it', async () => {
    const { requests } = fixer();
    fixer().asOf = new Date('2026-03-14T12:00:00Z');
    api.clock.advance(HOUR);
    const { outcome } = await run();
    assert.equal(outcome, 'unchanged');
    assert.equal(requests.length, 2);
    const rates = await api.db
      .selectFrom('pair_rates')
      .select('mid_rate')
      .where('pair_id', '=', (await mid('eur-to-usd')).id)
      .execute();
    assert.equal(rates.length, 2);
    assert.deepEqual((await mid('eur-to-usd')).mid_confirmed_at, api.clock.now());
    fixer().asOf = null;
  });

  it('runs one at a time, and a run that was left by its process stands in nobody’s way', async () => {
    fixer().mood = 'hanging';
    const first = admin.post(`${URL}/runs`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const second = await admin.post(`${URL}/runs`);
    assert.deepEqual([second.status, second.body.code], [409, 'run_in_progress']);
    fixer().mood = 'well';
    const { body } = await first;
    assert.equal(body.data.outcome, 'failed');
    assert.equal(body.data.attempts[0].outcome, 'unavailable');
    await api.db
      .insertInto('rate_runs')
      .values({
        id: '01900000-0000-7000-8000-000000000000',
        trigger: 'schedule',
        started_at: new Date(api.clock.now().getTime() - 6 * MINUTE),
      })
      .execute();
    assert.equal((await run()).outcome, 'updated');
  });

  it('takes from the next provider what the first one lacks, over another base', async () => {
    await freshHour();
    const { BTC: _btc, ...fiat } = usual;
    fixer().rates = fiat;
    await configure({ providers: list('fixer', 'coingecko', 'openexchangerates') });
    const { requests } = fakes.coingecko;
    const before = requests.length;
    const { outcome, attempts, missing } = await run();
    assert.deepEqual([outcome, missing], ['updated', []]);
    assert.deepEqual(
      attempts.map((each: Json) => [each.provider, each.outcome]),
      [
        ['fixer', 'ok'],
        ['coingecko', 'ok'],
      ],
    );
    assert.equal(requests.length, before + 1);
    assert.equal((await mid('btc-to-eur')).mid_source, 'coingecko + fixer');
  });

  it('goes on to the next provider when the first one fails', async () => {
    await freshHour();
    fixer().mood = { error: 'invalid_key' };
    await setKey('openexchangerates', fakes.openexchangerates.key);
    await configure({ providers: list('fixer', 'openexchangerates') });
    const { outcome, attempts } = await run();
    assert.equal(outcome, 'updated');
    assert.deepEqual(
      attempts.map((each: Json) => each.outcome === 'ok'),
      [false, true],
    );
    const pair = await mid('eur-to-usd');
    assert.deepEqual(
      [pair.mid_source, pair.mid_rate?.slice(0, 8)],
      ['openexchangerates', '1.094700'],
    );
    // The other base's edge would be a second, older way: it is gone.
    assert.deepEqual(
      (await overview()).rates.map(({ unit, base }: Json) => `${unit}/${base}`).toSorted(),
      ['BTC/USD', 'EUR/USD', 'GBP/USD'],
    );
  });

  it('does not ask a provider that has nothing new, whose rates count as confirmed', async () => {
    await freshHour();
    const daily = fakes['exchangerate-api'];
    await setKey('exchangerate-api', daily.key);
    const providers = [{ name: 'exchangerate-api', feed: 'daily', monthly_quota: 1500 }];
    await configure({ providers });
    assert.equal((await run()).attempts[0].outcome, 'ok');
    const asked = daily.requests.length;
    api.clock.advance(HOUR);
    const { outcome, attempts, accepted } = await run();
    assert.deepEqual([outcome, attempts[0].outcome, accepted], ['unchanged', 'not_due', 3]);
    assert.match(attempts[0].message, /has nothing new before 2026-03-\d\d 00:00 UTC/);
    assert.equal(daily.requests.length, asked);
    assert.deepEqual((await mid('eur-to-usd')).mid_confirmed_at, api.clock.now());
    // A unit that it was not asked for yet is a reason to ask.
    await addCurrency(admin, 'pln');
    assert.equal((await run()).attempts[0].outcome, 'ok');
    assert.equal(daily.requests.length, asked + 1);
  });
});

describe('when something is wrong', () => {
  beforeEach(freshHour);

  const faults: [string, () => void, RegExp][] = [
    ['HTML', () => (fixer().mood = 'html'), /Fixer answered something that is not as documented/],
    ['a truncated answer', () => (fixer().mood = 'truncated'), /not as documented/],
    ['a redirect to loopback', () => (fixer().mood = { redirect: fakes.trap.url }), /out of order/],
    ['100 MB', () => (fixer().mood = 'huge'), /not as documented/],
    ['a reset', () => (fixer().mood = 'reset'), /could not be reached/],
    ['a wrong key', () => (fixer().mood = { error: 'invalid_key' }), /does not accept the key/],
  ];
  for (const [what, cause, words] of faults) {
    it(`lets the last good rates stand at ${what}, and shows the reason`, async () => {
      const before = await believed('USD');
      const pair = await mid('eur-to-usd');
      cause();
      const { outcome, accepted, attempts } = await run();
      assert.deepEqual([outcome, accepted], ['failed', 0]);
      assert.match(attempts[0].message, words);
      const after = await believed('USD');
      assert.deepEqual(
        [after.rate, after.as_of, after.confirmed_at],
        [before.rate, before.as_of, before.confirmed_at],
      );
      assert.match(after.note, words);
      assert.deepEqual(await mid('eur-to-usd'), pair);
      assert.equal(fakes.trap.hits, 0);
      const [note] = (await overview()).providers;
      assert.match(note.last_failure.message, words);
    });
  }

  const figures: [string, string, string][] = [
    ['NaN', '"NaN"', 'not_a_rate'],
    ['null', 'null', 'not_a_rate'],
    ['zero', '0', 'not_a_rate'],
    ['a negative', '-1.0947', 'not_a_rate'],
  ];
  for (const [what, figure, reason] of figures) {
    it(`lets one unit's last good rate stand at ${what}; the others go on`, async () => {
      fixer().rates['USD'] = figure;
      fixer().rates['GBP'] = '0.8600';
      const { outcome, refusals } = await run();
      assert.equal(outcome, 'partial');
      assert.deepEqual(
        refusals.map((each: Json) => `${each.unit} ${each.reason}`),
        [`USD ${reason}`],
      );
      const [usd, gbp] = [await believed('USD'), await believed('GBP')];
      assert.deepEqual([usd.rate, gbp.rate], ['1.0947', '0.86']);
      assert.equal(usd.note, refusals[0].message);
      assert.equal(gbp.note, null);
    });
  }

  it('lets the last good rates stand when time goes back', async () => {
    fixer().asOf = new Date(api.clock.now().getTime() - 2 * HOUR);
    const { outcome, refusals } = await run();
    assert.equal(outcome, 'failed');
    assert.ok(refusals.every(({ reason }: Json) => reason === 'older_than_last'));
    assert.match((await believed('GBP')).note, /older than its last one/);
  });

  it('names what nobody gave', async () => {
    const { GBP: _gbp, ...rest } = usual;
    fixer().rates = rest;
    const { outcome, missing } = await run();
    assert.deepEqual([outcome, missing], ['partial', ['GBP']]);
    assert.equal((await believed('GBP')).note, 'No provider gave it in the latest run.');
  });

  it('leaves a provider alone that fails again and again, until a new key is set', async () => {
    fixer().mood = { error: 'invalid_key' };
    for (let hour = 0; hour < 3; hour += 1) {
      await run();
      api.clock.advance(MINUTE);
    }
    const { requests } = fixer();
    const asked = requests.length;
    const { outcome, attempts } = await run();
    assert.deepEqual([outcome, attempts[0].outcome], ['skipped', 'breaker_open']);
    assert.equal(requests.length, asked);
    let [note] = (await overview()).providers;
    assert.deepEqual([note.breaker.state, note.key], ['open', 'refused']);
    api.clock.advance(HOUR);
    [note] = (await overview()).providers;
    assert.equal(note.breaker.state, 'half_open');
    await run();
    assert.equal(requests.length, asked + 1);
    assert.equal((await run()).attempts[0].outcome, 'breaker_open');
    fixer().mood = 'well';
    api.clock.advance(MINUTE);
    await setKey('fixer', fixer().key);
    assert.equal((await run()).outcome, 'updated');
    [note] = (await overview()).providers;
    assert.deepEqual([note.breaker.state, note.key], ['closed', 'set']);
  });
});

describe('the quarantine', () => {
  beforeEach(freshHour);
  const waiting = async () =>
    (await admin.get(`${URL}/quarantine`)).body.data.filter((each: Json) => each.decision === null);
  const decide = (id: string, decision: string, rate: string) =>
    admin.post(`${URL}/quarantine/${id}/decision`, { decision, rate });

  /** Dollars at a thousand times their rate, pounds a little up. */
  async function jump(): Promise<Json> {
    fixer().rates['USD'] = '1094.7';
    fixer().rates['GBP'] = '0.86';
    const { outcome, quarantined } = await run();
    assert.deepEqual([outcome, quarantined], ['partial', 1]);
    const [only, ...rest] = await waiting();
    assert.deepEqual(rest, []);
    return only;
  }

  it('holds a jump back and lets the others pass', async () => {
    const row = await jump();
    assert.deepEqual(
      [row.unit, row.rate, row.previous_rate, row.change_percent, row.label],
      ['USD', '1094.7', '1.0947', '99900', 'Fixer'],
    );
    assert.equal((await mid('eur-to-usd')).mid_rate, '1.094700000000000000');
    assert.equal((await believed('GBP')).rate, '0.86');
    assert.match((await believed('USD')).note, /waits for your decision/);
    api.clock.advance(HOUR);
    fixer().rates['USD'] = '1094.8';
    await run();
    const [seen, ...rest] = await waiting();
    assert.deepEqual([seen.id, seen.rate, rest], [row.id, '1094.8', []]);
    assert.equal((await overview()).quarantine_waiting, 1);
  });

  it('believes what an admin accepts, at once', async () => {
    const { id } = await jump();
    const answer = await decide(id, 'accept', '1094.70');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      [answer.body.data.decision, answer.body.data.decided_by],
      ['accepted', 'Robin Okafor'],
    );
    assert.equal((await mid('eur-to-usd')).mid_rate, '1094.700000000000000000');
    const again = await decide(id, 'refuse', '1094.7');
    assert.deepEqual([again.status, again.body.code], [409, 'already_decided']);
    const [event] = await api.db
      .selectFrom('audit_events')
      .select(['action', 'subject_id', 'data'])
      .where('action', '=', 'rate.accepted')
      .execute();
    assert.equal(event?.subject_id, 'USD');
    api.clock.advance(HOUR);
    assert.equal((await run()).quarantined, 0);
    fixer().rates['USD'] = usual.USD;
    api.clock.advance(HOUR);
    await run();
    const [back] = await waiting();
    assert.equal((await decide(back.id, 'accept', usual.USD)).status, 200);
  });

  it('does not ask again about a figure that an admin refused, but about another one', async () => {
    const { id } = await jump();
    fixer().asOf = new Date((await waiting())[0].as_of);
    assert.equal((await decide(id, 'refuse', '1094.7')).status, 200);
    assert.equal((await mid('eur-to-usd')).mid_rate, '1.094700000000000000');
    const { refusals, quarantined } = await run();
    assert.deepEqual([quarantined, refusals[0].reason], [0, 'refused_before']);
    fixer().rates['USD'] = '1095';
    assert.equal((await run()).quarantined, 1);
  });

  it('withdraws the question when a rate comes that is no jump', async () => {
    const { id } = await jump();
    fixer().rates['USD'] = '1.10';
    api.clock.advance(HOUR);
    assert.equal((await run()).outcome, 'updated');
    assert.deepEqual(await waiting(), []);
    const late = await decide(id, 'accept', '1094.7');
    assert.deepEqual([late.status, late.body.code], [409, 'already_decided']);
  });

  it('refuses a decision on a rate that has changed meanwhile, and on none', async () => {
    const { id } = await jump();
    const answer = await decide(id, 'accept', '1094.8');
    assert.deepEqual([answer.status, answer.body.code], [409, 'rate_changed']);
    const nobody = await decide('01900000-0000-7000-8000-00000000000f', 'accept', '1');
    assert.equal(nobody.status, 404);
  });
});

describe('GET /api/admin/rates', () => {
  it('tells the arithmetic of each plan and how old the rates are', async () => {
    await freshHour();
    await configure({
      providers: [
        { name: 'fixer', feed: 'hourly', monthly_quota: 100 },
        { name: 'frankfurter', feed: 'central_bank', monthly_quota: null },
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
        ['Fixer', { plan: 100, needed: 744, used: 1, enough: false }, 'set', fixer().key.slice(-4)],
        ['Frankfurter (ECB)', { plan: null, needed: 744, used: 0, enough: true }, 'not_needed', ''],
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
    const first = (await admin.get(`${URL}/runs`, { query: { per_page: 2 } })).body;
    assert.equal(first.data.length, 2);
    assert.ok(first.data[0].started_at >= first.data[1].started_at);
    const query = { per_page: 2, cursor: first.meta.next_cursor };
    const second = (await admin.get(`${URL}/runs`, { query })).body;
    assert.ok(second.data[0].started_at <= first.data[1].started_at);
    assert.notEqual(second.data[0].id, first.data[1].id);
    assert.equal((await admin.get(`${URL}/runs`, { query: { cursor: 'xx' } })).status, 422);
  });

  it('is for admins with the permission money', async () => {
    const { client: other } = await api.asAdmin({ permissions: ['settings'] });
    assert.equal((await other.get(URL)).status, 403);
    assert.equal((await api.client().get(URL)).status, 401);
  });
});

describe('POST /api/admin/rates/providers/{provider}/test', () => {
  const test = async (provider: string, body: Json = {}) => {
    const answer = await admin.post(`${URL}/providers/${provider}/test`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  it('asks with the stored key or a given one, and keeps nothing', async () => {
    await freshHour();
    const before = await overview();
    const well = await test('fixer');
    assert.deepEqual([well.ok, well.outcome, well.missing], [true, 'ok', []]);
    assert.ok(well.rates >= 3);
    const wrong = await test('fixer', { key: 'wrong-key-0123456789abcdef' });
    assert.deepEqual(
      [wrong.ok, wrong.outcome, wrong.message],
      [false, 'invalid_key', 'Fixer does not accept the key.'],
    );
    assert.notEqual(wrong.detail, '');
    assert.ok(!JSON.stringify(wrong).includes('0123456789abcdef'));
    const { server_time: _then, ...after } = await overview();
    const { server_time: _now, ...same } = before;
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
    const secrets = [fixer().key, fakes.openexchangerates.key, fakes['exchangerate-api'].key];
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
