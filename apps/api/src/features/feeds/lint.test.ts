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
const cash = { ...item, to: 'CASHUSD', receive: 'cash-usd' };
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
    ['no code', 'code_pattern', { from: '' }],
    ['a code of small letters', 'code_pattern', { to: 'btc' }],
    ['one code on both sides', 'code_same', { to: 'PMUSD', receive: 'usd' }],
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

  it('tells of a pair with two mistakes once, with both', () => {
    const pattern = (code: string) =>
      `The code ${code} must be 2 to 20 capital letters, digits or underscores.`;
    const twice = { ...item, from: 'usd', to: 'eur' };
    assert.deepEqual(faults(twice).found, ['error code_pattern', 'error code_pattern']);
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
          { reason: 'rejected', message: pattern('usd') },
          { reason: 'rejected', message: pattern('eur') },
        ],
      },
    ]);
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
