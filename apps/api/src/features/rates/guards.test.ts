import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, configure, setKey, run, overview, believed, pair, freshHour, usual } = desk;

describe('when something is wrong', () => {
  beforeEach(freshHour);

  const faults: [string, () => void, RegExp][] = [
    [
      'HTML',
      () => (fakes.fixer.mood = 'html'),
      /Fixer answered something that is not as documented/,
    ],
    ['a truncated answer', () => (fakes.fixer.mood = 'truncated'), /not as documented/],
    [
      'a redirect to loopback',
      () => (fakes.fixer.mood = { redirect: fakes.trap.url }),
      /out of order/,
    ],
    ['100 MB', () => (fakes.fixer.mood = 'huge'), /not as documented/],
    ['a reset', () => (fakes.fixer.mood = 'reset'), /could not be reached/],
    ['a wrong key', () => (fakes.fixer.mood = { error: 'invalid_key' }), /does not accept the key/],
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
    assert.equal((await believed('USD')).rate, usual.USD);
  });

  it('lets the last good rates stand when time goes back', async () => {
    fakes.fixer.asOf = new Date(api.clock.now().getTime() - 2 * HOUR);
    const { outcome, refusals } = await run();
    assert.equal(outcome, 'failed');
    assert.ok(refusals.every(({ reason }: Json) => reason === 'older_than_last'));
    assert.match((await believed('GBP')).note, /older than its last one/);
  });

  it('names what nobody gave', async () => {
    const { GBP: _gbp, ...rest } = usual;
    fakes.fixer.rates = rest;
    const { outcome, missing } = await run();
    assert.deepEqual([outcome, missing], ['partial', ['GBP']]);
    assert.equal((await believed('GBP')).note, 'No provider gave it in the latest run.');
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
    assert.match(attempts[0].detail, /APP_KEY is another one/);
  });

  it('leaves a provider alone that fails again and again, until a new key is set', async () => {
    fakes.fixer.mood = { error: 'invalid_key' };
    for (let hour = 0; hour < 3; hour += 1) {
      await run();
      api.clock.advance(MINUTE);
    }
    const { requests } = fakes.fixer;
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
    fakes.fixer.mood = 'well';
    api.clock.advance(MINUTE);
    await setKey('fixer');
    assert.equal((await run()).outcome, 'updated');
    [note] = (await overview()).providers;
    assert.deepEqual([note.breaker.state, note.key], ['closed', 'set']);
  });
});
