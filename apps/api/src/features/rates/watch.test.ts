/** What the desk's admins are told of their rates, and how often. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { adminsWith } from '#features/auth/auth.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';
import { overdueOf } from './overdue.ts';
import { watch } from './watch.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, freshHour, usual } = desk;
const { fixer } = fakes;

async function takeLetters(kind: string): Promise<Json[]> {
  const rows = await api.db
    .deleteFrom('letters')
    .where('kind', '=', kind)
    .returning(['recipient', 'subject', 'data'])
    .execute();
  return rows.toSorted((a, b) => a.recipient.localeCompare(b.recipient));
}
const facts = (letter: Json) =>
  letter.data.content.facts.map(({ label, value }: Json) => `${label}: ${value}`);
const standing = async () => (await admin.get('/api/admin/rates/standing')).body.data;

beforeEach(async () => {
  await freshHour();
  await api.db.deleteFrom('letters').execute();
  await api.db.deleteFrom('rate_watch').execute();
});

describe('who is told', () => {
  it('are admins with the permission, at addresses that are theirs', async () => {
    const { user: money } = await api.asAdmin({ permissions: ['money'] });
    const { user: other } = await api.asAdmin({ permissions: ['desk', 'settings'] });
    const { user: unproved } = await api.asAdmin({ permissions: ['money'] });
    const { user: disabled } = await api.asAdmin({ permissions: ['money'] });
    const { user: member } = await api.asMember();
    const change = (id: string, values: Json) =>
      api.db.updateTable('users').set(values).where('id', '=', id).execute();
    await change(unproved.id, { email_verified_at: null });
    await change(disabled.id, { disabled_at: new Date() });
    const told = (await adminsWith(api.db, 'money')).map(({ email }) => email);
    assert.ok(told.includes(money.email));
    for (const { email } of [other, unproved, disabled, member]) assert.ok(!told.includes(email));
    fixer.rates['USD'] = '1094.7';
    await run();
    const letters = await takeLetters('rates-waiting');
    assert.deepEqual(letters.map(({ recipient }) => recipient).toSorted(), told.toSorted());
    await change(money.id, { disabled_at: new Date() });
  });
});

describe('a rate that waits', () => {
  it('is told once, with all others of its run, however often runs bring it', async () => {
    fixer.rates['USD'] = '1094.7';
    fixer.rates['BTC'] = '0.00000001';
    await run();
    const [letter, ...others] = await takeLetters('rates-waiting');
    assert.deepEqual(others, []);
    assert.equal(letter?.subject, '2 new rates wait for your yes or no');
    assert.match(letter?.data.content.paragraphs[0], /made of them give no new quotes/);
    assert.deepEqual(facts(letter), [
      'BTC: 0.00000001 BTC for 1 EUR, was 0.00001786 (-99.944008 %), by Fixer. No other provider was asked',
      'USD: 1094.7 USD for 1 EUR, was 1.0947 (+99900 %), by Fixer. No other provider was asked',
    ]);
    for (let hour = 0; hour < 3; hour += 1) {
      api.clock.advance(HOUR);
      fixer.rates['USD'] = `1094.${hour}`;
      await run();
    }
    assert.deepEqual(await takeLetters('rates-waiting'), []);
    fixer.rates['GBP'] = '858';
    await run();
    const [next] = await takeLetters('rates-waiting');
    assert.equal(next?.subject, 'A new rate of GBP waits for your yes or no');
    assert.equal((await standing()).quarantine_waiting, 3);
  });

  it('is told once a day where it comes and goes by itself, and at once after a decision', async () => {
    const flicker = async () => {
      fixer.rates['USD'] = '1094.7';
      await run();
      fixer.rates['USD'] = '1.0947';
      api.clock.advance(HOUR);
      await run();
      api.clock.advance(HOUR);
    };
    for (let times = 0; times < 4; times += 1) await flicker();
    assert.equal((await takeLetters('rates-waiting')).length, 1);
    api.clock.advance(DAY);
    await flicker();
    assert.equal((await takeLetters('rates-waiting')).length, 1);

    fixer.rates['GBP'] = '858';
    await run();
    assert.equal((await takeLetters('rates-waiting')).length, 1);
    const { data } = (await admin.get('/api/admin/rates/quarantine')).body;
    const { id, rate } = data.find((each: Json) => each.decision === null);
    const url = `/api/admin/rates/quarantine/${id}/decision`;
    assert.equal((await admin.post(url, { decision: 'refuse', rate })).status, 200);
    fixer.rates['GBP'] = '900';
    api.clock.advance(HOUR);
    await run();
    assert.equal((await takeLetters('rates-waiting')).length, 1);
  });

  const letterAfter = async (rate: string): Promise<number> => {
    fixer.rates['USD'] = rate;
    await run();
    api.clock.advance(HOUR);
    return (await takeLetters('rates-waiting')).length;
  };

  it('is told at once where it comes back as another one', async () => {
    assert.equal(await letterAfter('1.226'), 1);
    assert.equal(await letterAfter('1.0947'), 0);
    assert.equal(await letterAfter('1.423'), 1);
    // Between the same two it flaps, nearly.
    for (const rate of ['1.0947', '1.23', '1.0947', '1.42', '1.0947'])
      assert.equal(await letterAfter(rate), 0, rate);
    assert.equal(await letterAfter('0.8'), 1);
  });

  it('is told by its figure, whatever figures it had since while it waited', async () => {
    assert.equal(await letterAfter('1.226'), 1);
    assert.equal(await letterAfter('2.5'), 0);
    assert.equal(await letterAfter('1.0947'), 0);
    assert.equal(await letterAfter('2.5'), 1);
    for (const rate of ['1.0947', '1.226', '1.0947', '2.5', '1.0947'])
      assert.equal(await letterAfter(rate), 0, rate);
  });

  it('is told at once where another unit, or it in terms of another base, comes at that figure', async () => {
    assert.equal(await letterAfter('1.226'), 1);
    assert.equal(await letterAfter('1.0947'), 0);
    fixer.rates['GBP'] = '1.226';
    assert.equal(await letterAfter('1.0947'), 1);
    fixer.rates['GBP'] = usual.GBP;
    assert.equal(await letterAfter('1.0947'), 0);
    await setKey('openexchangerates');
    await configure({ providers: listed('openexchangerates') });
    fakes.openexchangerates.rates['GBP'] = '1.226';
    assert.equal(await letterAfter('1.0947'), 1);
  });

  it('is told at once where its price comes back further off than a jump, as people see it', async () => {
    const { BTC: _btc, ...rest } = usual;
    fixer.rates = rest;
    await configure({ providers: listed('fixer', 'coingecko') });
    const { rates } = fakes.coingecko;
    const dearer = async (percent: bigint) => {
      // Both prices of the coin, so that they go on to agree.
      rates['bitcoin.eur'] = String((55_991n * (100n + percent)) / 100n);
      rates['bitcoin.usd'] = String((61_294n * (100n + percent)) / 100n);
      await run();
      api.clock.advance(HOUR);
      return (await takeLetters('rates-waiting')).length;
    };
    assert.deepEqual([await dearer(0n), await dearer(20n), await dearer(0n)], [0, 1, 0]);
    // 10.8 % above 20 %, which is 9.8 % less of it for a euro.
    assert.deepEqual([await dearer(33n), await dearer(0n), await dearer(31n)], [1, 0, 0]);
  });

  it('is not told again because a person has decided on another unit', async () => {
    assert.equal(await letterAfter('1.226'), 1);
    assert.equal(await letterAfter('1.0947'), 0);
    fixer.rates['GBP'] = '858';
    assert.equal(await letterAfter('1.0947'), 1);
    const { data } = (await admin.get('/api/admin/rates/quarantine')).body;
    const { id, rate, unit } = data.find((each: Json) => each.decision === null);
    assert.equal(unit, 'GBP');
    const url = `/api/admin/rates/quarantine/${id}/decision`;
    assert.equal((await admin.post(url, { decision: 'refuse', rate })).status, 200);
    assert.equal(await letterAfter('1.226'), 0);
  });

  it('is told at once where a person has decided on its unit since the last letter', async () => {
    assert.equal(await letterAfter('1.226'), 1);
    assert.equal(await letterAfter('1.0947'), 0);
    assert.equal(await letterAfter('1.226'), 0);
    const decision = async () => {
      const { data } = (await admin.get('/api/admin/rates/quarantine')).body;
      const { id, rate } = data.find((each: Json) => each.decision === null);
      return { rate, url: `/api/admin/rates/quarantine/${id}/decision` };
    };
    const { url, rate } = await decision();
    assert.equal((await admin.post(url, { decision: 'refuse', rate })).status, 200);
    assert.equal((await admin.delete(url)).status, 200);
    assert.equal(await letterAfter('1.226'), 1);
    assert.equal(await letterAfter('1.0947'), 0);
    assert.equal(await letterAfter('1.226'), 0);
  });
});

describe('rates that grow old', () => {
  it('are told once when delayed, once when stale, and once when all is well again', async () => {
    await run();
    assert.equal(await watch(api.deps), 'live');
    fixer.mood = { error: 'quota' };
    api.clock.advance(91 * MINUTE);
    await run();
    assert.equal(await watch(api.deps), 'live → delayed');
    const [delayed, ...more] = await takeLetters('rates-delayed');
    assert.deepEqual(more, []);
    assert.equal(delayed?.subject, 'Rates are delayed');
    assert.match(facts(delayed).join('\n'), /^BTC: delayed, last brought .* UTC$/m);
    assert.match(facts(delayed).join('\n'), /^Last run: Fixer: The requests that .* used up\.$/m);
    assert.deepEqual(await standing(), { quarantine_waiting: 0, delayed: 3, stale: 0 });
    for (let times = 0; times < 3; times += 1) {
      api.clock.advance(10 * MINUTE);
      await watch(api.deps);
    }
    assert.deepEqual(await takeLetters('rates-delayed'), []);

    api.clock.advance(HOUR);
    assert.equal(await watch(api.deps), 'delayed → stale');
    assert.equal((await takeLetters('rates-stale')).length, 1);
    api.clock.advance(HOUR);
    await watch(api.deps);
    assert.deepEqual(await takeLetters('rates-stale'), []);

    fixer.mood = 'well';
    await run();
    assert.equal(await watch(api.deps), 'stale → live');
    assert.equal((await takeLetters('rates-recovered')).length, 1);
    assert.equal(await watch(api.deps), 'live');
    assert.deepEqual(await takeLetters('rates-recovered'), []);
  });

  it('are told once, whichever process looks', async () => {
    await run();
    api.clock.advance(2 * HOUR);
    const told = await Promise.all([watch(api.deps), watch(api.deps), watch(api.deps)]);
    assert.deepEqual(told.toSorted(), ['delayed', 'delayed', 'live → delayed']);
    assert.equal((await takeLetters('rates-delayed')).length, 1);
  });

  it('are nobody’s news where the synchronisation was switched off', async () => {
    await run();
    api.clock.advance(2 * HOUR);
    await watch(api.deps);
    await configure({ enabled: false });
    assert.equal(await watch(api.deps), 'delayed → live');
    assert.deepEqual(await takeLetters('rates-recovered'), []);
    api.clock.advance(DAY);
    assert.equal(await watch(api.deps), 'live');
  });

  it('are not overdue while they wait for their provider’s turn', async () => {
    const { value } = (await admin.get('/api/admin/settings/rate-api')).body.data;
    const now = api.clock.now();
    const rate = (minutes: number) => ({
      unit: 'USD',
      base: 'EUR',
      rate: '1.1',
      inverted: false,
      provider: 'fixer',
      asOf: now,
      confirmedAt: new Date(now.getTime() - minutes * MINUTE),
      freshUntil: new Date(now.getTime() + DAY),
    });
    const states = (minutes: number, every: number, needed = ['USD']) => {
      const [listed] = value.providers;
      const settings = { ...value, providers: [{ ...listed, cadence_hours: every }] };
      return overdueOf([rate(minutes)], needed, settings, now).map(({ state }) => state);
    };
    assert.deepEqual([states(90, 1), states(91, 1), states(181, 1)], [[], ['delayed'], ['stale']]);
    assert.deepEqual([states(510, 8), states(511, 8)], [[], ['stale']]);
    assert.deepEqual(states(511, 8, ['GBP']), []);
  });

  it('are watched by a task, and counted for admins with the permission money alone', async () => {
    const { data } = (await admin.get('/api/admin/tasks')).body;
    assert.ok(data.some(({ name }: Json) => name === 'rates-watch'));
    const { client: other } = await api.asAdmin({ permissions: ['settings'] });
    assert.equal((await other.get('/api/admin/rates/standing')).status, 403);
  });
});
