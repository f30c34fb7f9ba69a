import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ShowcaseRate } from '@cambist/contract/pairs';
import { findRates } from './showcase.ts';

function rate(send: [string, string], receive: [string, string]): ShowcaseRate {
  const side = ([unit, channel]: [string, string]) => ({
    slug: unit.toLowerCase(),
    unit,
    name: unit,
    symbol: unit,
    channel,
    kind: 'bank' as const,
    decimals: 2,
  });
  return {
    pair: `${send[0]}-to-${receive[0]}`.toLowerCase(),
    send: side(send),
    receive: side(receive),
    rate: '1',
    change_24h: null,
    sparkline: ['1', '2'],
    as_of: '2026-11-21T00:00:00Z',
    state: 'live',
    stale_at: null,
    checking: false,
    opens_at: null,
  };
}

const rates = [
  rate(['USD', 'Bank transfer'], ['EUR', 'SEPA transfer']),
  rate(['EUR', 'Card'], ['BTC', 'Lightning']),
];
const found = (query: string) => findRates(rates, query).map(({ pair }) => pair);

describe('findRates', () => {
  it('finds by units, channels and what people write between them', () => {
    assert.deepEqual(found('usd to eur'), ['usd-to-eur']);
    assert.deepEqual(found('USD/EUR'), ['usd-to-eur']);
    assert.deepEqual(found('light'), ['eur-to-btc']);
    assert.deepEqual(found('eur'), ['usd-to-eur', 'eur-to-btc']);
    assert.deepEqual(found('eur gold'), []);
  });
  it('finds all without a query', () => {
    assert.equal(found('').length, 2);
    assert.equal(found(' to ').length, 2);
  });
});
