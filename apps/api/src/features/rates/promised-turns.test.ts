/** Whether a provider with turns is asked exactly when its card in the console says so, whatever went before. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR, SECOND } from '#kernel/clock.ts';
import type { Mood } from '#test/rate-providers.ts';
import type { Json } from '#test/client.ts';
import { addCurrency } from '#test/desk.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';

const { fakes, api, admin, configure, setKey, run, hourly, overview, believed, freshHour } =
  await startRatesDesk({ after });
const { fixer, openexchangerates } = fakes;
await setKey('openexchangerates');

const refused: Mood = { error: 'invalid_access_key' };
const spent: Mood = { error: 'usage_limit_reached' };
const none: readonly Mood[] = [];

/** A turn each before a new key, then an hour each; the last goes on. */
const histories: Readonly<Record<string, readonly [readonly Mood[], readonly Mood[]]>> = {
  'a new key that is good': [none, ['well']],
  'one that fails once': [none, ['html', 'well']],
  'one that fails': [none, ['html']],
  'one that is refused': [none, [refused]],
  'one whose plan is used up': [none, [spent]],
  'a good one after a refusal': [[refused], ['well']],
  'a refused one after a refusal': [[refused], [refused]],
  'a good one after three failures': [['html', 'html', 'html'], ['well']],
  'a good one after a failure and a success': [['html', 'well'], ['well']],
};

describe('a provider that is asked every eight hours', () => {
  beforeEach(freshHour);

  /** Whether the next run of the schedule asks it, by the card. */
  async function isPromised(): Promise<boolean> {
    const { providers } = await overview();
    const card = providers.find(({ name }: Json) => name === 'fixer');
    const slot = (Math.floor(api.clock.now().getTime() / HOUR) + 1) * HOUR + 20 * SECOND;
    return [card.next_turn_at, card.breaker.open_until, card.retry_at, card.next_update_at].every(
      (until) => until === null || Date.parse(until) <= slot,
    );
  }

  async function isAsked(): Promise<boolean> {
    const before = fixer.requests.length;
    await hourly();
    return fixer.requests.length > before;
  }

  for (const monthly_quota of [5, 100_000])
    for (const [name, [earlier, later]] of Object.entries(histories))
      it(`is asked when its card says, of a plan of ${monthly_quota}, with ${name}`, async () => {
        const providers = listed('fixer').map((each) => ({ ...each, cadence_hours: 8 }));
        await configure({ providers: providers.map((each) => ({ ...each, monthly_quota })) });
        await run();
        for (const mood of earlier) {
          fixer.mood = mood;
          api.clock.advance(12 * HOUR);
          await hourly();
        }
        api.clock.advance(SECOND);
        await setKey('fixer');
        const asked: boolean[] = [];
        for (let hour = 0; hour < 4; hour += 1) {
          fixer.mood = later[hour] ?? later.at(-1) ?? 'well';
          const promised = await isPromised();
          asked.push(await isAsked());
          assert.equal(asked.at(-1), promised, `hour ${hour + 1} after ${asked.join()}`);
        }
        assert.equal(asked[0], true, 'at once with the new key');
        if (monthly_quota === 5) assert.deepEqual(asked.slice(1).filter(Boolean), []);
      });

  /** Every eight hours, and no request to spare, not even on the last day of a month. */
  const [fixed] = listed('fixer').map((each) => ({ ...each, cadence_hours: 8, monthly_quota: 1 }));

  /** In how many of the next hours it is asked: each time as its card said. */
  async function askedIn(hours: number): Promise<boolean[]> {
    const asked: boolean[] = [];
    while (asked.length < hours) {
      const promised = await isPromised();
      asked.push(await isAsked());
      assert.equal(asked.at(-1), promised, `hour ${asked.length}: ${asked.join()}`);
    }
    return asked;
  }

  for (const mood of ['reset', 'html', 'well'] as const)
    it(`is asked once where its fall-back leaves the list, and is ${mood}`, async () => {
      await configure({ providers: [fixed, ...listed('openexchangerates')] });
      fixer.mood = 'html';
      for (let hour = 0; hour < 10; hour += 1) await hourly();
      fixer.mood = mood;
      await configure({ providers: [fixed] });
      assert.deepEqual((await askedIn(6)).filter(Boolean), [true]);
    });

  for (const [runs, mood] of [
    [1, 'html'],
    [1, 'well'],
    [9, 'html'],
  ] as const)
    it(`is asked once, and is ${mood}, where its fall-back leaves and ${runs} runs had both, the last at its turn`, async () => {
      await configure({ providers: [fixed, ...listed('openexchangerates')] });
      api.clock.advance(24 * HOUR);
      fixer.mood = 'html';
      for (let each = 0; each < runs; each += 1) await hourly();
      fixer.mood = mood;
      await configure({ providers: [fixed] });
      const asked = await askedIn(9);
      const hours = asked.flatMap((isNow, hour) => (isNow ? [hour] : []));
      assert.deepEqual(hours, [0, 8], 'at the next run, and then at its turn');
    });

  it('is asked by its turns where one leaves that filled in beside its own answer', async () => {
    fixer.rates = { USD: '1.0947', GBP: '0.85852' };
    openexchangerates.rates = { EUR: '0.91349', BTC: '0.000016315' };
    await configure({ providers: [fixed, ...listed('openexchangerates')] });
    api.clock.advance(8 * HOUR);
    const { attempts } = await hourly();
    assert.deepEqual(
      attempts.map(({ outcome }: Json) => outcome),
      ['ok', 'ok'],
    );
    assert.equal((await believed('BTC')).provider, 'openexchangerates');
    await configure({ providers: [fixed] });
    assert.deepEqual((await askedIn(3)).filter(Boolean), []);
  });

  for (const trigger of ['schedule', 'admin'] as const)
    it(`is asked by its turns after a key that was set during a run of the ${trigger}`, async () => {
      await configure({ providers: [...listed('openexchangerates'), fixed] });
      openexchangerates.rates = { EUR: '0.91349' };
      fixer.key = 'fixer-0000000000000000';
      openexchangerates.mood = {
        wellAfter: async () => {
          fixer.key = 'fixer-4f9d2c7a81b3e605';
          api.clock.advance(SECOND);
          await setKey('fixer');
          api.clock.advance(SECOND);
        },
      };
      const { attempts } = await (trigger === 'schedule' ? hourly() : run());
      assert.deepEqual(
        attempts.map(({ outcome }: Json) => outcome),
        ['ok', 'ok'],
      );
      openexchangerates.mood = 'well';
      assert.deepEqual((await askedIn(4)).filter(Boolean), []);
    });

  it('is asked at once for a unit that it was not asked for', async () => {
    await configure({ providers: [fixed] });
    await run();
    assert.deepEqual((await askedIn(2)).filter(Boolean), []);
    await addCurrency(admin, 'pln');
    assert.deepEqual(await askedIn(2), [true, false]);
  });

  /** What makes the next run ask it though it has nothing new. */
  const reasons: Readonly<Record<string, () => Promise<unknown>>> = {
    'with a new key': async () => {
      api.clock.advance(SECOND);
      await setKey('fixer');
    },
    'for a new currency': async () => addCurrency(admin, 'jpy'),
    'after a failure': async () => {
      const failed = { last_failure: 'malformed', last_failure_at: api.clock.now() };
      await api.db.updateTable('rate_provider_states').set(failed).execute();
    },
    'where nothing that it said is believed': async () => forgetMarket(api),
  };

  for (const [reason, act] of Object.entries(reasons))
    it(`says until when it has nothing new, but not where it is asked ${reason}`, async () => {
      const news = new Date(api.clock.now().getTime() + 5 * HOUR);
      await api.db.updateTable('rate_provider_states').set({ next_update_at: news }).execute();
      const told = async () => (await overview()).providers[0].next_update_at;
      assert.deepEqual(await askedIn(1), [false]);
      assert.equal(await told(), news.toISOString());
      await act();
      assert.equal(await told(), null);
      assert.deepEqual(await askedIn(1), [true]);
    });
});
