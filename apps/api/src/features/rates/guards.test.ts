import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, configure, setKey, run, hourly, overview, believed, pair, freshHour, usual } =
  desk;

describe('when something is wrong', () => {
  beforeEach(freshHour);

  const faults: [string, () => void, RegExp][] = [
    [
      'HTML',
      () => (fakes.fixer.mood = 'html'),
      /Fixer answered something( at .*)? that was not as documented/,
    ],
    ['a truncated answer', () => (fakes.fixer.mood = 'truncated'), /not as documented/],
    [
      'a redirect to loopback',
      () => (fakes.fixer.mood = { redirect: fakes.trap.url }),
      /out of order/,
    ],
    ['100 MB', () => (fakes.fixer.mood = 'huge'), /not as documented/],
    ['a reset', () => (fakes.fixer.mood = 'reset'), /could not be reached/],
    ['a wrong key', () => (fakes.fixer.mood = { error: 'invalid_key' }), /did not accept the key/],
  ];
  for (const [what, cause, words] of faults) {
    it(`lets the last good rates stand at ${what}, and shows the reason`, async () => {
      const before = await believed('USD');
      const followed = await pair('eur-to-usd');
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
      assert.deepEqual(await pair('eur-to-usd'), followed);
      assert.equal(fakes.trap.hits, 0);
      const [note] = (await overview()).providers;
      assert.match(note.last_failure.message, words);
      // What was is told by the runs; the card tells what is.
      fakes.fixer.mood = 'well';
      await run();
      const [mended] = (await overview()).providers;
      assert.deepEqual([mended.last_failure, mended.last_failure_at], [null, null]);
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
      fakes.fixer.rates['USD'] = figure;
      fakes.fixer.rates['GBP'] = '0.8600';
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

  it('lets the last good rates stand when a base is not one of itself', async () => {
    await setKey('exchangerate-api');
    await configure({ providers: listed('exchangerate-api') });
    fakes['exchangerate-api'].rates['USD'] = '1.2';
    const { outcome, refusals } = await run();
    assert.equal(outcome, 'failed');
    assert.ok(refusals.length > 0);
    assert.ok(refusals.every(({ reason }: Json) => reason === 'base_not_one'));
    assert.match(refusals[0].message, /^ExchangeRate-API gave BTC in terms of USD, and USD in/);
    assert.equal((await believed('USD')).rate, usual.USD);
  });

  it('lets the last good rates stand when time goes back', async () => {
    fakes.fixer.asOf = new Date(api.clock.now().getTime() - 2 * HOUR);
    const { outcome, refusals } = await run();
    assert.equal(outcome, 'failed');
    assert.ok(refusals.every(({ reason }: Json) => reason === 'older_than_last'));
    assert.match((await believed('GBP')).note, /older than its last one/);
  });

  it('names each figure of a primary that sends rubbish, also where a fall-back fills in', async () => {
    const primary = fakes.openexchangerates;
    const usualOther = { ...primary.rates };
    await setKey('openexchangerates');
    await configure({ providers: listed('openexchangerates', 'fixer') });
    const told = async (expected = 'partial') => {
      api.clock.advance(HOUR);
      const { outcome, attempts, refused, refusals } = await run();
      assert.deepEqual([attempts.length, refused, outcome], [2, refusals.length, expected]);
      for (const { provider, message } of refusals) {
        assert.equal(provider, 'openexchangerates');
        assert.match(message, / The rate from Fixer stands\.$/);
      }
      return refusals.map(({ unit, reason }: Json) => `${unit} ${reason}`).toSorted();
    };
    primary.rates = { ...usualOther, GBP: '"NaN"' };
    assert.deepEqual(await told('updated'), ['GBP not_a_rate']);
    const { note } = await believed('GBP');
    assert.equal(note, 'Open Exchange Rates gave "NaN" for GBP.');
    // Of all of them, not of the one alone that the fall-back has the other way round.
    const { USD: _own, ...others } = usualOther;
    const all = (reason: string) => ['BTC', 'EUR', 'GBP'].map((unit) => `${unit} ${reason}`);
    primary.rates = Object.fromEntries(Object.keys(others).map((unit) => [unit, '0']));
    assert.deepEqual(await told(), all('not_a_rate'));
    primary.rates = { ...usualOther };
    primary.asOf = new Date(api.clock.now().getTime() - 25 * HOUR);
    assert.deepEqual(await told(), all('too_old'));
  });

  it('names what nobody gave', async () => {
    const { GBP: _gbp, ...rest } = usual;
    fakes.fixer.rates = rest;
    const { outcome, missing } = await run();
    assert.deepEqual([outcome, missing], ['partial', ['GBP']]);
    const note = 'Fixer gave no rate of GBP, which it gave before.';
    assert.equal((await believed('GBP')).note, note);
  });

  it('goes on without a provider whose stored key does not open any more', async () => {
    const { sealed } = await api.db
      .selectFrom('setting_secrets')
      .select('sealed')
      .where('name', '=', 'fixer_key')
      .executeTakeFirstOrThrow();
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    await api.db
      .updateTable('setting_secrets')
      .set({ sealed: changed })
      .where('name', '=', 'fixer_key')
      .execute();
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
    const { outcome, attempts } = await run();
    assert.equal(outcome, 'updated');
    assert.deepEqual(
      attempts.map((each: Json) => [each.provider, each.outcome]),
      [
        ['fixer', 'no_key'],
        ['openexchangerates', 'ok'],
      ],
    );
    assert.equal(attempts[0].message, 'The key for Fixer cannot be used.');
    assert.equal((await overview()).providers[0].key, 'unreadable');
    assert.match((await believed('GBP')).note, /^The key for Fixer could not be used at /);
    assert.match(attempts[0].detail, /APP_KEY is another one/);
  });

  const breaker = async () => (await overview()).providers[0].breaker;

  it('leaves a provider alone that fails again and again, until a new key is set', async () => {
    fakes.fixer.mood = { error: 'invalid_key' };
    // The third opens it for an hour, the fourth for two.
    for (let hour = 0; hour < 4; hour += 1)
      assert.equal((await hourly()).attempts[0].outcome, 'invalid_key');
    const { requests } = fakes.fixer;
    const asked = requests.length;
    const { outcome, attempts } = await hourly();
    assert.deepEqual([outcome, attempts[0].outcome], ['skipped', 'breaker_open']);
    assert.equal(requests.length, asked);
    let [note] = (await overview()).providers;
    assert.deepEqual([note.breaker.state, note.key], ['open', 'refused']);
    fakes.fixer.mood = 'well';
    api.clock.advance(MINUTE);
    await setKey('fixer');
    assert.equal((await run()).outcome, 'updated');
    [note] = (await overview()).providers;
    assert.deepEqual([note.breaker.state, note.key], ['closed', 'set']);
  });

  it('never waits longer than an hour for what ends by itself', async () => {
    fakes.fixer.mood = 'reset';
    for (let hour = 0; hour < 6; hour += 1)
      assert.equal((await hourly()).attempts[0].outcome, 'unavailable');
    fakes.fixer.mood = 'well';
    assert.equal((await hourly()).outcome, 'updated');
  });

  it('asks at once when an admin does, who closes the breaker or leaves it as it is', async () => {
    fakes.fixer.mood = { error: 'invalid_key' };
    for (let hour = 0; hour < 4; hour += 1) await hourly();
    const before = await breaker();
    assert.equal(before.state, 'open');
    for (let time = 0; time < 3; time += 1)
      assert.equal((await run()).attempts[0].outcome, 'invalid_key');
    assert.deepEqual(await breaker(), before);
    fakes.fixer.mood = 'well';
    assert.equal((await run()).outcome, 'updated');
    assert.equal((await breaker()).state, 'closed');
  });

  it('counts no failures of runs by hand', async () => {
    fakes.fixer.mood = { error: 'invalid_key' };
    for (let time = 0; time < 4; time += 1) {
      api.clock.advance(MINUTE);
      await run();
    }
    assert.deepEqual(await breaker(), { state: 'closed', failures: 0, open_until: null });
    assert.equal((await overview()).providers[0].key, 'refused');
    fakes.fixer.mood = 'well';
    assert.equal((await hourly()).attempts[0].outcome, 'ok');
  });

  it('tries three times where a connection breaks, and counts what reached the provider', async () => {
    const [before] = (await overview()).providers;
    const asked = fakes.fixer.requests.length;
    fakes.fixer.mood = 'reset';
    await run();
    assert.equal(fakes.fixer.requests.length - asked, 3);
    const [after] = (await overview()).providers;
    assert.equal(after.quota.used - before.quota.used, 3);
  });
});
