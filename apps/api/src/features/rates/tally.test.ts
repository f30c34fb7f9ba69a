/** What a run tells of each provider's answer: what counts of it, and what it lacks. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency } from '#test/desk.ts';
import { gecko, law } from '#test/judging.ts';
import { listed, startRatesDesk } from '#test/rates.ts';
import { tallyOf } from './tally.ts';
import { okWords, testedWords, utc } from './words.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, believed, freshHour, usual } = desk;
/** What Fixer says on a usual day, in dollars. */
const inDollars = { EUR: '0.91349', GBP: '0.78425', BTC: '0.000016315' };
const all = (rate: string) =>
  Object.fromEntries(Object.keys(inDollars).map((unit) => [unit, rate]));

const said = ({ attempts }: Json) =>
  attempts.map(({ message, rates }: Json) => [message, rates] as const);
const fills = ['Fixer gave 3 rates.', 3];

beforeEach(async () => {
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('openexchangerates', 'fixer') });
  fakes.openexchangerates.rates = { ...inDollars };
  assert.deepEqual(said(await run()), [['Open Exchange Rates gave 3 rates.', 3]]);
  api.clock.advance(HOUR);
});

describe('an answer', () => {
  it('counts as many rates as are sound', async () => {
    for (const [rates, message, sound] of [
      [{ GBP: '0' }, 'gave 2 rates, and 1 figure that cannot be believed.', 2],
      [{ GBP: '"NaN"', BTC: '1e400' }, 'gave 1 rate, and 2 figures that cannot be believed.', 1],
    ] as const) {
      fakes.openexchangerates.rates = { ...inDollars, ...rates };
      const result = await run();
      assert.deepEqual(said(result), [[`Open Exchange Rates ${message}`, sound], fills]);
      assert.equal(result.outcome, 'updated');
    }
  });

  it('without a sound figure is not all that a run can be, though another fills in', async () => {
    const card = async () => (await overview()).providers[0];
    for (const [rates, message, ...why] of [
      [
        all('0'),
        'gave 3 figures, and none of them can be believed.',
        'Open Exchange Rates gave 0 for BTC.',
      ],
      [
        { GBP: '-1' },
        'gave one figure, which cannot be believed.',
        'Open Exchange Rates gave -1 for GBP.',
      ],
      [{}, 'gave no rate of what it was asked for.'],
    ] as const) {
      fakes.openexchangerates.rates = rates;
      const result = await run();
      assert.deepEqual(said(result), [[`Open Exchange Rates ${message}`, 0], fills]);
      assert.deepEqual([result.outcome, result.accepted, result.missing], ['partial', 3, []]);
      assert.deepEqual(
        result.attempts.map((attempt: Json) => attempt.gave_none),
        [true, false],
      );
      // Its card says so, and why.
      assert.equal((await card()).unusable, [`Open Exchange Rates ${message}`, ...why].join(' '));
    }
    fakes.openexchangerates.rates = { ...inDollars, GBP: '0' };
    await run();
    assert.equal((await card()).unusable, null);
  });

  const notes = async (outcome = 'updated') => {
    api.clock.advance(HOUR);
    const result = await run();
    const { rates } = await overview();
    assert.equal(result.outcome, outcome);
    return Object.fromEntries(
      rates.flatMap(({ unit, note }: Json) => (note === null ? [] : [[unit, note]])),
    );
  };

  it('is told beside the rate of who fills in for it, briefly, and beside no other', async () => {
    const { GBP: _gbp, ...rest } = inDollars;
    for (const [rates, told] of [
      [{ ...inDollars, GBP: '0' }, { GBP: 'Open Exchange Rates gave 0 for GBP.' }],
      [rest, { GBP: 'Open Exchange Rates gave no rate of GBP, which it gave before.' }],
      // The euro in dollars is the dollar in euros.
      [{ ...inDollars, EUR: '0' }, { USD: 'Open Exchange Rates gave 0 for EUR.' }],
      [inDollars, {}],
    ] as const) {
      fakes.openexchangerates.rates = rates;
      assert.deepEqual(await notes(), told);
    }
    // What a fall-back gives besides is no concern of the first one's rate.
    const { BTC: _btc, ...withoutCoin } = usual;
    fakes.fixer.rates = withoutCoin;
    fakes.openexchangerates.rates = { ...inDollars, GBP: '0' };
    await configure({ providers: listed('fixer', 'openexchangerates') });
    assert.deepEqual(Object.keys(await notes()), ['BTC']);
  });

  it('of the first that was asked is told where several gave nothing of it', async () => {
    await setKey('currencyapi');
    const providers = listed('openexchangerates', 'currencyapi', 'fixer');
    await configure({ providers: providers.map((each) => ({ ...each, feed: 'daily' })) });
    const { GBP: _gbp, ...rest } = inDollars;
    const zero = { GBP: 'Open Exchange Rates gave 0 for GBP.' };
    fakes.openexchangerates.rates = { ...inDollars, GBP: '0' };
    fakes.currencyapi.rates = { ...inDollars };
    assert.deepEqual(await notes(), zero);
    fakes.currencyapi.rates = rest;
    assert.deepEqual(await notes(), zero);
    assert.equal((await believed('GBP')).provider, 'fixer');
    fakes.openexchangerates.rates = rest;
    fakes.currencyapi.rates = { ...inDollars, GBP: '0' };
    const missed = 'Open Exchange Rates gave no rate of GBP, which it gave before.';
    assert.deepEqual(await notes(), { GBP: missed });
  });

  it('that never came is told beside the rates of who fills in, of what it gave before', async () => {
    fakes.fixer.rates = { ...usual };
    fakes.openexchangerates.mood = { error: 'invalid_key' };
    const told = await notes('partial');
    // The key may have been accepted since: what is told is of its time.
    const words = `Open Exchange Rates did not accept the key at ${utc(api.clock.now())}.`;
    assert.deepEqual(told, { USD: words, GBP: words, BTC: words });
    fakes.openexchangerates.mood = 'well';
    assert.deepEqual(await notes(), {});
    // Who gave nothing for a week is missed no more than what it left out.
    fakes.openexchangerates.mood = 'reset';
    api.clock.advance(8 * DAY);
    assert.deepEqual(await notes('partial'), {});
  });

  it('counts the figures of coins, and the coins that they are of', () => {
    const coins = (...units: string[]) => units.map((unit) => ({ unit }));
    const six = coins('BTC', 'BTC', 'ETH', 'ETH', 'TRX', 'TRX');
    for (const [sound, others, words] of [
      [six, [], 'gave 6 rates of 3 currencies.'],
      [[], six, 'gave 6 figures of 3 currencies, and none of them can be believed.'],
      [
        six.slice(0, 4),
        six.slice(4),
        'gave 4 rates of 2 currencies, and 2 figures of 1 currency that cannot be believed.',
      ],
      [coins('EUR', 'GBP'), [], 'gave 2 rates.'],
    ] as const)
      assert.equal(okWords('CoinGecko', sound, others), `CoinGecko ${words}`);
    assert.equal(
      testedWords('CoinGecko', six.slice(0, 4), six.slice(4), 'CoinGecko gave 0 for TRX.'),
      'CoinGecko gave 6 rates of 3 currencies; a run would believe 4 of them at most. CoinGecko gave 0 for TRX.',
    );
  });

  it('of a provider that carries nothing of what the desk has lacks nothing', () => {
    const told = (...asked: string[]) => {
      const { gave_none, message } = tallyOf(law(), gecko(), asked);
      return [gave_none, message];
    };
    assert.deepEqual(told('EUR', 'USD'), [
      false,
      'CoinGecko answered; it was asked for no rate, since it gives none of the units of this desk.',
    ]);
    assert.deepEqual(told('EUR', 'BTC'), [
      true,
      'CoinGecko gave no rate of what it was asked for.',
    ]);
  });
});

describe('what an answer leaves out', () => {
  const left = ({ refusals }: Json) =>
    refusals.map(({ unit, reason, message }: Json) => {
      assert.equal(reason, 'left_out');
      return [unit, message];
    });
  const missed = (unit: string) => [
    unit,
    `Open Exchange Rates gave no rate of ${unit}, which it gave before. The rate from Fixer stands.`,
  ];

  it('is told of who gave it before in each run, and holds nothing up', async () => {
    const { GBP: _gbp, ...rest } = inDollars;
    fakes.openexchangerates.rates = rest;
    for (const _run of [1, 2]) {
      const result = await run();
      assert.deepEqual(left(result), [missed('GBP')]);
      assert.deepEqual([result.refused, result.outcome, result.missing], [0, 'updated', []]);
      api.clock.advance(HOUR);
    }
    // The euro is given the other way round.
    fakes.openexchangerates.rates = {};
    assert.deepEqual(left(await run()), ['BTC', 'EUR', 'GBP'].map(missed));
    // Who gives nothing else for a week has dropped it for good.
    fakes.openexchangerates.rates = rest;
    api.clock.advance(7 * DAY);
    assert.deepEqual(left(await run()), []);
  });

  it('is told with the run and beside the rate where nobody fills in', async () => {
    const { GBP: _gbp, ...rest } = inDollars;
    fakes.openexchangerates.rates = rest;
    await configure({ providers: listed('openexchangerates') });
    const result = await run();
    const words = 'Open Exchange Rates gave no rate of GBP, which it gave before.';
    assert.deepEqual(left(result), [['GBP', words]]);
    assert.deepEqual([result.outcome, result.missing], ['partial', ['GBP']]);
    assert.equal((await believed('GBP')).note, words);
  });

  it('is told beside the rate of another provider where that one failed too, or has no other word', async () => {
    const { GBP: _gbp, ...rest } = inDollars;
    fakes.openexchangerates.rates = rest;
    await run();
    const note = async () => {
      api.clock.advance(HOUR);
      assert.deepEqual(left(await run()), [['GBP', others]]);
      const { provider, note: words } = await believed('GBP');
      assert.equal(provider, 'fixer');
      return words;
    };
    const others = 'Open Exchange Rates gave no rate of GBP, which it gave before.';
    fakes.fixer.mood = 'reset';
    const unreached = await note();
    const at = utc(api.clock.now());
    const failed = `Fixer could not be reached or was out of order at ${at}.`;
    assert.equal(unreached, `${failed} ${others}`);
    fakes.fixer.mood = 'well';
    fakes.fixer.rates = { ...usual, GBP: '1.7' };
    assert.match(await note(), /waits for your decision/);
    const [waiting] = (await admin.get('/api/admin/rates/quarantine')).body.data;
    const url = `/api/admin/rates/quarantine/${waiting.id}/decision`;
    await admin.post(url, { decision: 'refuse', rate: waiting.rate });
    assert.match((await believed('GBP')).note, /^An admin refused/);
    await configure({ providers: listed('openexchangerates') });
    await api.db.deleteFrom('rate_quarantine').execute();
    assert.equal(await note(), others);
  });

  it('is no complaint of a unit that it never gave, nor of who is not asked', async () => {
    await api.db.deleteFrom('rate_runs').execute();
    const { GBP: _gbp, ...rest } = inDollars;
    fakes.openexchangerates.rates = rest;
    assert.deepEqual(left(await run()), []);
    api.clock.advance(HOUR);
    fakes.openexchangerates.rates = { ...inDollars };
    fakes.fixer.rates = {};
    assert.deepEqual(left(await run()), []);
  });

  it('is told of what no pair follows too, and holds nothing up', async () => {
    fakes.openexchangerates.rates = { ...inDollars, PLN: '3.9' };
    await addCurrency(admin, 'pln');
    await run();
    api.clock.advance(HOUR);
    fakes.openexchangerates.rates = { ...inDollars };
    const result = await run();
    assert.deepEqual(left(result), [
      ['PLN', 'Open Exchange Rates gave no rate of PLN, which it gave before.'],
    ]);
    assert.deepEqual([result.outcome, result.missing], ['updated', []]);
  });
});
