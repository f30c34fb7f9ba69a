/** Providers that are asked seldom, and those that ask for a pause. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, hourly, overview, pair, freshHour, usual } =
  desk;
const { believed } = desk;
const { fixer, openexchangerates } = fakes;

const seldom = (...names: Parameters<typeof listed>) =>
  listed(...names).map((each) => ({ ...each, monthly_quota: 100, cadence_hours: 8 }));
const outcomes = ({ attempts }: Json) => attempts.map((each: Json) => each.outcome);
/** The full hour at or after that time. */
const hourAfter = (time: number) => new Date(Math.ceil(time / HOUR) * HOUR).toISOString();
const firstProvider = async () => (await overview()).providers[0];

describe('a provider with a cadence of eight hours', () => {
  beforeEach(async () => {
    await freshHour();
    await configure({ providers: seldom('fixer') });
  });

  it('is asked three times a day, and what lies between is no failure', async () => {
    const before = fixer.requests.length;
    const days: string[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      const done = await hourly();
      days.push(outcomes(done).join());
      assert.notEqual(done.outcome, 'failed');
      assert.notEqual(done.outcome, 'skipped');
    }
    assert.equal(fixer.requests.length - before, 3);
    assert.deepEqual([...new Set(days)].toSorted(), ['cadence', 'ok']);
    assert.equal((await firstProvider()).breaker.failures, 0);
  });

  it('has its rates stand between, as old as they are', async () => {
    await run();
    const heard = api.clock.now();
    const done = await hourly();
    assert.deepEqual([done.outcome, outcomes(done)], ['unchanged', ['cadence']]);
    assert.match(
      done.attempts[0].message,
      /^By the settings Fixer is asked again at .* its last rates stand\.$/,
    );
    assert.equal(done.attempts[0].rates, 3);
    assert.deepEqual((await pair('eur-to-usd')).mid_confirmed_at, heard);
    const { next_turn_at, quota } = await firstProvider();
    assert.equal(next_turn_at, hourAfter(heard.getTime() + 8 * HOUR - MINUTE));
    assert.deepEqual(
      [quota.needed, quota.cadence_hours, quota.enough, quota.fitting_hours],
      [93, 8, true, 8],
    );
  });

  it('keeps the next one from being asked while its rates stand, not when it failed', async () => {
    await setKey('openexchangerates');
    const providers = [...seldom('fixer'), ...listed('openexchangerates')];
    await configure({ providers });
    await run();
    const others = openexchangerates.requests.length;
    assert.deepEqual(outcomes(await hourly()), ['cadence']);
    assert.equal(openexchangerates.requests.length, others);

    fixer.mood = 'reset';
    await configure({ providers: providers.map((each) => ({ ...each, monthly_quota: 5 })) });
    await run();
    const asked = fixer.requests.length;
    // The plan has nothing to spare, so it waits for its turn; nobody waits with it.
    const done = await hourly();
    assert.deepEqual(outcomes(done), ['cadence', 'ok']);
    assert.match(done.attempts[0].message, /; none of its rates count as confirmed until then\.$/);
    assert.match(
      (await believed('GBP')).note ?? '',
      /not the turn of Fixer, .*; none of its rates counted as confirmed\.$/,
    );
    assert.equal(fixer.requests.length, asked);
  });

  it('is asked at once with a new key, and then by its turns, whatever failed with another', async () => {
    fixer.mood = 'reset';
    await hourly();
    fixer.mood = 'well';
    await hourly();
    assert.deepEqual(outcomes(await hourly()), ['cadence']);
    await setKey('fixer');
    api.clock.advance(HOUR);
    assert.deepEqual(outcomes(await hourly()), ['ok']);
    for (const _hour of [1, 2]) assert.deepEqual(outcomes(await hourly()), ['cadence']);
  });

  it('is asked once with a new key that does not work, and then by its turns, as the console says', async () => {
    await configure({ providers: seldom('fixer').map((each) => ({ ...each, monthly_quota: 5 })) });
    await hourly();
    await setKey('fixer');
    assert.equal((await firstProvider()).next_turn_at, null);
    fixer.mood = 'reset';
    assert.deepEqual(outcomes(await hourly()), ['unavailable']);
    const asked = fixer.requests.length;
    for (const _hour of [1, 2, 3]) {
      assert.deepEqual(outcomes(await hourly()), ['cadence']);
      assert.ok((await firstProvider()).next_turn_at);
    }
    assert.equal(fixer.requests.length, asked);
    fixer.mood = 'well';
  });

  it('is asked by its turns too where it has never answered', async () => {
    await configure({ providers: seldom('fixer').map((each) => ({ ...each, monthly_quota: 5 })) });
    await api.db.deleteFrom('rate_provider_states').execute();
    fixer.mood = 'reset';
    assert.deepEqual(outcomes(await hourly()), ['unavailable']);
    for (const _hour of [1, 2, 3]) assert.deepEqual(outcomes(await hourly()), ['cadence']);
    fixer.mood = 'well';
  });

  it('is asked about until its next turn, though what it said be too old before', async () => {
    await setKey('openexchangerates');
    await configure({ providers: [...listed('fixer'), ...seldom('openexchangerates')] });
    const { BTC: _btc, ...rest } = usual;
    fixer.rates = rest;
    const usualOther = { ...openexchangerates.rates };
    openexchangerates.rates['GBP'] = '1.3';
    assert.equal((await hourly()).quarantined, 1);
    Object.assign(openexchangerates, { rates: usualOther });
    fixer.rates = { ...usual };
    for (let hour = 1; hour < 8; hour += 1) {
      await hourly();
      assert.equal((await overview()).quarantine_waiting, 1, `after ${hour} hours`);
    }
    await hourly();
    assert.equal((await overview()).quarantine_waiting, 0);
  });

  it('is asked out of turn by hand, for a new unit, and after a failure with requests to spare', async () => {
    await run();
    const before = fixer.requests.length;
    assert.deepEqual(outcomes(await run()), ['ok']);
    await api.db
      .updateTable('rate_provider_states')
      .set({ units: ['EUR'] })
      .execute();
    assert.deepEqual(outcomes(await hourly()), ['ok']);
    fixer.mood = 'reset';
    api.clock.advance(MINUTE);
    await run();
    fixer.mood = 'well';
    assert.deepEqual(outcomes(await hourly()), ['ok']);
    // Three of them in vain.
    assert.equal(fixer.requests.length, before + 6);
  });

  it('is named beside the rate of who fills in for it between two turns', async () => {
    await setKey('openexchangerates');
    const primary = fakes.openexchangerates;
    const note = async () => {
      const { provider, note: words } = await believed('GBP');
      return [provider, words];
    };
    await configure({ providers: [...seldom('openexchangerates'), ...listed('fixer')] });
    primary.rates = { EUR: '0.91349', GBP: '0.78425', BTC: '0.000016315' };
    await hourly();
    assert.deepEqual(await note(), ['openexchangerates', null]);
    api.clock.advance(8 * HOUR);
    primary.rates['GBP'] = '0';
    assert.deepEqual(outcomes(await hourly()), ['ok', 'ok']);
    assert.deepEqual(await note(), ['fixer', 'Open Exchange Rates gave 0 for GBP.']);
    assert.deepEqual(outcomes(await hourly()), ['cadence', 'ok']);
    const turn = 'In the last run it was not the turn of Open Exchange Rates';
    assert.deepEqual(await note(), ['fixer', `${turn}, which comes earlier in the list.`]);
    // Beside its own rates its turn is told as ever.
    assert.match((await believed('EUR')).note ?? '', /^By the settings .* its last rates stand\.$/);
    primary.rates['GBP'] = '0.78425';
    // It says when it has something new, and is asked all the same for what it has not given.
    await api.db
      .updateTable('rate_provider_states')
      .set({ next_update_at: new Date(api.clock.now().getTime() + 2 * HOUR) })
      .where('provider', '=', 'openexchangerates')
      .execute();
    assert.deepEqual(outcomes(await hourly()), ['not_due', 'ok']);
    const idle = 'In the last run Open Exchange Rates, which comes earlier in the list';
    assert.deepEqual(await note(), ['fixer', `${idle}, had nothing new.`]);
  });

  it('can only have hours that divide the day', async () => {
    const { version, value } = (await admin.get('/api/admin/settings/rate-api')).body.data;
    const providers = seldom('fixer').map((each) => ({ ...each, cadence_hours: 5 }));
    const answer = await admin.put('/api/admin/settings/rate-api', {
      version,
      value: { ...value, providers },
    });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ['providers.0.cadence_hours']);
  });
});

describe('a provider that asks for a pause', () => {
  beforeEach(freshHour);
  const limited = { error: 'quota', status: 429 } as const;

  it('is not asked before, by the hour or by hand, and the console says so', async () => {
    fixer.mood = { ...limited, retryAfter: '7200' };
    assert.equal((await run()).outcome, 'failed');
    const until = new Date(api.clock.now().getTime() + 7200 * SECOND);
    fixer.mood = 'well';
    const asked = fixer.requests.length;
    const next = await hourly();
    assert.deepEqual([next.outcome, outcomes(next)], ['skipped', ['retry_later']]);
    assert.match(next.attempts[0].message, /^Fixer asked not to be asked again before .* UTC\.$/);
    assert.deepEqual(outcomes(await run()), ['retry_later']);
    assert.equal((await firstProvider()).retry_at, until.toISOString());
    assert.equal(fixer.requests.length, asked);

    api.clock.set(until);
    assert.deepEqual(outcomes(await run()), ['ok']);
    assert.equal((await firstProvider()).retry_at, null);
  });

  it('may name a date, and a year counts as a day', async () => {
    const { now } = api.clock;
    const date = new Date(Math.ceil(now().getTime() / MINUTE) * MINUTE + HOUR);
    fixer.mood = { ...limited, retryAfter: date.toUTCString() };
    await run();
    assert.equal((await firstProvider()).retry_at, date.toISOString());
    api.clock.set(date);
    fixer.mood = { ...limited, retryAfter: '31536000' };
    await run();
    const day = new Date(now().getTime() + 24 * HOUR);
    assert.equal((await firstProvider()).retry_at, day.toISOString());
  });

  it('says so with 200 too, and a new key ends the pause, which was the old one’s', async () => {
    fixer.mood = { ...limited, status: 200, retryAfter: '3600' };
    await run();
    assert.notEqual((await firstProvider()).retry_at, null);
    fixer.mood = 'well';
    api.clock.advance(MINUTE);
    await setKey('fixer');
    assert.equal((await firstProvider()).retry_at, null);
    assert.deepEqual(outcomes(await run()), ['ok']);
  });

  it('is left alone by the test of its stored key, which keeps its pause and tells the quota', async () => {
    const test = async (body: Json = {}) =>
      (await admin.post('/api/admin/rates/providers/fixer/test', body)).body.data;
    fixer.mood = { ...limited, retryAfter: '600' };
    const until = new Date(api.clock.now().getTime() + 600 * SECOND).toISOString();
    const refused = await test();
    assert.deepEqual([refused.outcome, refused.retry_at], ['quota_exceeded', until]);
    assert.equal(refused.quota.needed, 744);
    fixer.mood = 'well';
    const asked = fixer.requests.length;
    const waits = await test();
    assert.deepEqual([waits.ok, waits.outcome, waits.retry_at], [false, 'retry_later', until]);
    assert.deepEqual(outcomes(await run()), ['retry_later']);
    assert.equal(fixer.requests.length, asked);
    // What is typed may be another account's.
    assert.equal((await test({ key: fixer.key })).outcome, 'ok');
  });
});
