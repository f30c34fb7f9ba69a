import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { feedFaults } from '@cambist/contract/feeds';
import { byPair } from './feeds.ts';
import type { Item } from './items.ts';
import { lint, lintSettings } from './lint.ts';

const item: Item = {
  pair: 'usd-to-btc',
  send: 'usd',
  receive: 'btc',
  from: 'PMUSD',
  to: 'BTC',
  city: null,
  cash: [],
  in: '61250.5',
  out: '1',
  classic: { in: '61250.5', out: '1', sendFee: null, receiveFee: null },
  converter: { in: '61250.5', out: '1' },
  belowPercent: '0.00',
  bare: { in: '61250.5', out: '1' },
  sendFee: null,
  receiveFee: null,
  reserve: '2.5',
  sendMin: '10',
  sendMax: '5000',
  receiveMin: '0.00016326',
  receiveMax: '0.08163199',
  lockMinutes: 15,
  flags: ['manual'],
};
const cash = { ...item, to: 'CASHUSD', receive: 'cash-usd', cash: ['CASHUSD'] };
const tried = new Set<string>();

function faults(...items: Item[]) {
  const { findings, passed } = lint(items);
  for (const { fault, message } of findings) {
    tried.add(fault);
    assert.match(message, /^[A-Z].*\.$/);
  }
  return {
    passed: passed.length,
    found: findings.map(({ severity, fault }) => `${severity} ${fault}`),
  };
}

describe('the linter', () => {
  it('has nothing to say of what monitors take', () => {
    const back = {
      ...item,
      pair: 'btc-to-usd',
      send: 'btc',
      receive: 'usd',
      from: 'BTC',
      to: 'PMUSD',
    };
    const places = [
      { ...cash, city: 'MSK' },
      { ...cash, city: 'FNCH' },
    ];
    assert.deepEqual(
      faults(item, { ...back, receiveMin: '1', receiveMax: '9', reserve: '9' }, ...places),
      {
        passed: 4,
        found: [],
      },
    );
  });

  for (const [name, fault, changes] of [
    ['no code', 'element_missing', { from: '' }],
    ['a code of small letters', 'code_pattern', { to: 'btc' }],
    ['one code on both sides', 'code_same', { to: 'PMUSD', receive: 'usd' }],
    ['no rate', 'element_missing', { out: '' }],
    ['a rate with an exponent', 'element_missing', { in: '6e4' }],
    ['a rate with a comma', 'element_missing', { in: '61250,5' }],
    ['a reserve below zero', 'element_missing', { reserve: '-1' }],
    ['a rate of zero', 'rate_zero', { in: '0.00' }],
    ['a minimum above the maximum', 'min_above_max', { sendMin: '5000.01' }],
    ['a reserve below the minimum', 'reserve_below_min', { reserve: '0.00016325' }],
    ['cash without a city', 'city_missing', { from: 'MONEYUSD', cash: ['MONEYUSD'] }],
    ['a city that is none', 'city_unknown', { from: 'CASHUSD', cash: ['CASHUSD'], city: 'Moscow' }],
  ] as const) {
    it(`finds ${name}, and keeps it out`, () => {
      assert.deepEqual(faults({ ...item, ...changes }), { passed: 0, found: [`error ${fault}`] });
    });
  }

  it('finds a direction that is there twice, and keeps the first', () => {
    assert.deepEqual(faults(item, { ...item }), { passed: 1, found: ['error direction_doubled'] });
    const place = { ...cash, city: 'MSK' };
    assert.deepEqual(faults(place, place).found, ['error direction_doubled']);
  });

  it('finds a code that two currencies have', () => {
    const other = { ...item, pair: 'eur-to-btc', send: 'eur', to: 'LTC', receive: 'ltc' };
    assert.deepEqual(faults(item, other), { passed: 1, found: ['error code_doubled'] });
  });

  it('goes by the kind of the currency, whatever its code begins with', () => {
    const wallet = { ...item, to: 'CASHAPPUSD', receive: 'cash-app' };
    assert.deepEqual(faults(wallet), { passed: 1, found: [] });
  });

  it('tells of a pair with two mistakes once, with both', () => {
    const twice = { ...item, from: 'CASHUSD', to: 'CASHEUR', cash: ['CASHUSD', 'CASHEUR'] };
    assert.deepEqual(faults(twice).found, ['error city_missing', 'error city_missing']);
    const { findings } = lint([twice]);
    const gaps = findings.map(({ message }) => ({
      pair: twice.pair,
      reason: 'rejected' as const,
      message,
    }));
    assert.deepEqual(byPair(gaps), [
      {
        pair: 'usd-to-btc',
        reasons: [
          { reason: 'rejected', message: 'CASHUSD is cash, and it says no city for it.' },
          { reason: 'rejected', message: 'CASHEUR is cash, and it says no city for it.' },
        ],
      },
    ]);
  });

  it('warns of a city without cash, and lets it pass', () => {
    assert.deepEqual(faults({ ...item, city: 'MSK' }), {
      passed: 1,
      found: ['warning city_needless'],
    });
  });

  it('warns of what the settings name and the desk has not', () => {
    const findings = lintSettings(
      {
        enabled: true,
        files: [],
        key: '',
        flags: [],
        pair_flags: [{ pair: 'a-to-b', flags: [] }],
        costs: 'inside',
        excluded: ['a-to-b', 'usd-to-btc', 'c-to-d'],
        cities: [
          { currency: 'cash-usd', cities: ['MSK'] },
          { currency: 'usd', cities: ['MSK'] },
          { currency: 'xau', cities: ['MSK'] },
        ],
      },
      [
        {
          slug: 'usd-to-btc',
          send: { slug: 'usd', kind: 'bank' },
          receive: { slug: 'cash-usd', kind: 'cash' },
        },
      ],
    );
    for (const { fault } of findings) tried.add(fault);
    assert.deepEqual(
      findings.map(({ fault, message }) => [fault, message.split(':')[0]]),
      [
        ['name_unknown', 'The settings name a-to-b'],
        ['name_unknown', 'The settings name c-to-d'],
        ['city_needless', 'The settings name cities of usd'],
        ['name_unknown', 'The settings name cities of xau'],
      ],
    );
  });

  it('was tried with each of its faults', () => {
    assert.deepEqual([...tried].toSorted(), [...feedFaults].toSorted());
  });
});
