/** What was taken back, refused or contradicted must not come back on sale by another way. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, hourly, believed, pair, freshHour } = desk;
const URL = '/api/admin/rates';
const daily = fakes['exchangerate-api'];
const usualDaily = { ...daily.rates };

const waiting = async () =>
  (await admin.get(`${URL}/quarantine`)).body.data.filter((each: Json) => each.decision === null);
const decide = ({ id, rate }: Json, decision: 'accept' | 'refuse') =>
  admin.post(`${URL}/quarantine/${id}/decision`, { decision, rate });

/** A desk that has believed nothing yet but what is said on a usual day. */
async function begin(): Promise<void> {
  await api.db.deleteFrom('market_rates').execute();
  await api.db.deleteFrom('market_past').execute();
  await api.db.deleteFrom('pair_rates').execute();
  await freshHour();
}

describe('a provider that is not due', () => {
  let day = 16;
  /** After a good run of the day, at the first of the next day. */
  beforeEach(async () => {
    daily.rates = { ...usualDaily };
    await begin();
    await setKey('exchangerate-api');
    api.clock.set(new Date(`2026-03-${day}T10:00:20Z`));
    day += 1;
    await configure({
      providers: [
        { name: 'exchangerate-api', feed: 'daily', monthly_quota: 1500, cadence_hours: 1 },
      ],
    });
    assert.equal((await run()).outcome, 'updated');
    api.clock.set(new Date(`2026-03-${day}T00:30:20Z`));
  });

  const confirmed = async () => (await believed('GBP')).confirmed_at;

  it('does not confirm a rate that it has withdrawn, or given as nothing', async () => {
    const before = await confirmed();
    const { GBP: _gbp, ...rest } = daily.rates;
    for (const rates of [rest, { ...rest, GBP: '0' }]) {
      daily.rates = rates;
      await api.db.updateTable('rate_provider_states').set({ next_update_at: null }).execute();
      assert.equal((await run()).attempts[0].outcome, 'ok');
      api.clock.advance(HOUR);
      const { attempts, missing, outcome } = await run();
      assert.deepEqual([attempts[0].outcome, outcome, missing], ['not_due', 'partial', ['GBP']]);
      assert.equal(await confirmed(), before);
    }
    assert.equal((await believed('GBP')).state, 'stale');
    assert.equal((await pair('usd-to-gbp')).mid_confirmed_at?.toISOString(), before);
  });

  it('does not confirm what an admin refused the next of', async () => {
    const before = await confirmed();
    daily.rates['GBP'] = '1.2';
    assert.equal((await run()).quarantined, 1);
    api.clock.advance(HOUR);
    // What waits is still waiting.
    assert.deepEqual((await run()).attempts[0].outcome, 'not_due');
    const [row] = await waiting();
    assert.equal((await decide(row, 'refuse')).status, 200);
    api.clock.advance(HOUR);
    assert.deepEqual((await run()).missing, ['GBP']);
    assert.equal(await confirmed(), before);
  });

  it('confirms what it said and what an admin accepted, and is asked with a new key', async () => {
    daily.rates['GBP'] = '1.2';
    await run();
    const [row] = await waiting();
    assert.equal((await decide(row, 'accept')).status, 200);
    api.clock.advance(HOUR);
    const { outcome, attempts } = await run();
    assert.deepEqual([outcome, attempts[0].outcome], ['unchanged', 'not_due']);
    assert.equal(await confirmed(), api.clock.now().toISOString());
    api.clock.advance(MINUTE);
    await setKey('exchangerate-api');
    assert.equal((await run()).attempts[0].outcome, 'ok');
  });
});

describe('a second provider that contradicts', () => {
  const other = fakes.openexchangerates;
  const usualOther = { ...other.rates };

  /** Fixer lacks bitcoins, so the second one is asked too, who says that pounds fell. */
  beforeEach(async () => {
    other.rates = { ...usualOther };
    await begin();
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
    const { BTC: _btc, ...rest } = fakes.fixer.rates;
    fakes.fixer.rates = rest;
  });

  it('is asked about, and asked again, until a person decides: then it is followed', async () => {
    const before = await pair('usd-to-gbp');
    other.rates['GBP'] = '1.3';
    await run();
    let [row] = await waiting();
    assert.deepEqual(
      [row.unit, row.base, row.reason, row.provider],
      ['GBP', 'USD', 'contradicted', 'openexchangerates'],
    );
    assert.equal((await pair('usd-to-gbp')).mid_rate, before.mid_rate);
    // With nothing lacking, too, and while it cannot be reached.
    fakes.fixer.rates = { ...desk.usual };
    api.clock.advance(HOUR);
    await run();
    other.mood = 'reset';
    api.clock.advance(HOUR);
    await run();
    [row] = await waiting();
    assert.equal(row.reason, 'contradicted');
    assert.deepEqual((await pair('usd-to-gbp')).mid_confirmed_at, before.mid_confirmed_at);

    other.mood = 'well';
    assert.equal((await decide(row, 'accept')).status, 200);
    assert.match((await pair('usd-to-gbp')).mid_rate ?? '', /^1\.3/);
    api.clock.advance(HOUR);
    const { refusals } = await run();
    assert.deepEqual(refusals, []);
    const gbp = await believed('GBP');
    assert.deepEqual(
      [gbp.provider, gbp.confirmed_at],
      ['openexchangerates', api.clock.now().toISOString()],
    );
    assert.deepEqual(await waiting(), []);
  });

  it('is no longer asked about once it agrees, or once an admin said no', async () => {
    other.rates['GBP'] = '1.3';
    await run();
    other.rates['GBP'] = usualOther['GBP'] ?? '';
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(await waiting(), []);
    other.rates['GBP'] = '1.3';
    api.clock.advance(HOUR);
    await run();
    const [row] = await waiting();
    assert.equal((await decide(row, 'refuse')).status, 200);
    other.rates['GBP'] = '1.31';
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(await waiting(), []);
    assert.equal((await believed('GBP')).confirmed_at, api.clock.now().toISOString());
  });

  it('is not answered by another one that goes on as before while who asked is silent', async () => {
    fakes.fixer.rates = { ...desk.usual, USD: '1.3' };
    await run();
    const [row] = await waiting();
    assert.deepEqual([row.unit, row.provider, row.reason], ['USD', 'fixer', 'jump']);
    fakes.fixer.mood = 'reset';
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(
      (await waiting()).map(({ id }: Json) => id),
      [row.id],
    );
    fakes.fixer.mood = 'well';
    fakes.fixer.rates = { ...desk.usual };
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(await waiting(), []);
  });

  /** Ages are of the test's clock there, and pairs' of the database's. */
  const isChecking = async () => (await pair('usd-to-gbp')).mid_awaits.length > 0;

  it('is asked about until a person decides, however long it is silent, in its turn or between two', async () => {
    for (const cadence_hours of [1, 2]) {
      const [first, second] = listed('fixer', 'openexchangerates');
      // A plan without requests to spare: after a failure it waits for its turn.
      const seldom = { ...second, cadence_hours, monthly_quota: 5 };
      await configure({ providers: [first, seldom] });
      Object.assign(other, { mood: 'well', rates: { ...usualOther, GBP: '1.3' } });
      const { BTC: _btc, ...rest } = desk.usual;
      fakes.fixer.rates = rest;
      await run();
      const [row] = await waiting();
      assert.deepEqual([row.unit, row.reason], ['GBP', 'contradicted']);
      fakes.fixer.rates = { ...desk.usual };
      other.mood = 'reset';
      for (let hour = 0; hour < 4; hour += 1) await hourly();
      const [kept, ...others] = await waiting();
      assert.deepEqual([kept?.id, others], [row.id, []], `every ${cadence_hours} hours`);
      // Too old for a yes, so what it contradicts is confirmed anew; for sale it is after the no.
      assert.equal((await believed('GBP')).confirmed_at, api.clock.now().toISOString());
      assert.equal((await decide(row, 'accept')).body.code, 'rate_outdated');
      assert.equal(kept.outdated_by.label, 'Fixer');
      assert.equal(await isChecking(), true);
      assert.equal((await decide(row, 'refuse')).status, 200);
      assert.equal(await isChecking(), false);
      await begin();
    }
  });

  it('may ask about the base, which the next good run of that edge answers', async () => {
    fakes.fixer.mood = 'reset';
    other.rates['EUR'] = '1.5';
    await run();
    const [row] = await waiting();
    assert.deepEqual([row.unit, row.base, row.reason], ['EUR', 'USD', 'jump']);
    fakes.fixer.mood = 'well';
    fakes.fixer.rates = { ...desk.usual };
    api.clock.advance(HOUR);
    await run();
    assert.deepEqual(await waiting(), []);
  });

  it('is not accepted where something newer says the same edge', async () => {
    fakes.fixer.mood = 'reset';
    other.rates['EUR'] = '1.5';
    await run();
    const [row] = await waiting();
    assert.equal(row.outdated_by, null);
    // As a run leaves it whose provider is another one, with the question still open.
    await api.db
      .updateTable('market_rates')
      .set({ confirmed_at: new Date(api.clock.now().getTime() + MINUTE) })
      .where('unit', '=', 'USD')
      .execute();
    const late = await decide(row, 'accept');
    assert.deepEqual([late.status, late.body.code], [409, 'rate_outdated']);
    const [kept, ...others] = await waiting();
    assert.deepEqual([kept.id, others], [row.id, []]);
    const { unit, base, rate, label } = kept.outdated_by;
    assert.deepEqual([unit, base, rate.slice(0, 9), label], ['EUR', 'USD', '0.9134922', 'Fixer']);
  });
});

describe('the limits of jumps', () => {
  const SETTINGS = '/api/admin/settings/rate-api';
  beforeEach(begin);

  it('are above 0 and at most 50, and their changes are told with both figures', async () => {
    const { version, value } = (await admin.get(SETTINGS)).body.data;
    const put = (changes: Json) =>
      admin.put(SETTINGS, { version, value: { ...value, ...changes } });
    for (const part of ['jump_percent', 'day_percent'])
      for (const wrong of ['0', '0.0', '50.1', '51', '100', '999.999999', '-1', '']) {
        const answer = await put({ [part]: wrong });
        assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [part]], wrong);
      }
    const answer = await put({ jump_percent: '0.5', day_percent: '50.0' });
    assert.equal(answer.status, 200, answer.text);
    const { data } = await api.db
      .selectFrom('audit_events')
      .select('data')
      .where('action', '=', 'settings.written')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [data?.['from'], data?.['to']],
      [
        { jump_percent: '10', day_percent: '30' },
        { jump_percent: '0.5', day_percent: '50.0' },
      ],
    );
    await configure({ jump_percent: '10', day_percent: '30' });
  });

  it('stop a rate that creeps, and begin anew with what an admin accepts', async () => {
    // 9 % each hour.
    let rate = 1.0947;
    let held: Json = null;
    for (let hour = 0; hour < 6 && held === null; hour += 1) {
      rate *= 1.09;
      fakes.fixer.rates['USD'] = rate.toFixed(6);
      api.clock.advance(HOUR);
      if ((await run()).quarantined > 0) [held] = await waiting();
    }
    assert.deepEqual([held.unit, held.reason, held.previous_rate], ['USD', 'drift', '1.0947']);
    assert.ok(Number(held.change_percent) > 30 && Number(held.change_percent) < 42);
    assert.equal((await decide(held, 'accept')).status, 200);
    api.clock.advance(HOUR);
    fakes.fixer.rates['USD'] = (rate * 1.09).toFixed(6);
    assert.equal((await run()).outcome, 'updated');
    // What was accepted a day before is no longer in the way.
    const kept = await api.db
      .selectFrom('market_past')
      .selectAll()
      .where('unit', '=', 'USD')
      .execute();
    assert.equal(kept.length, 2);
  });
});
