import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choose,
  directionOf,
  exchangePath,
  priceOf,
  receiveChoices,
  stateFromQuery,
  type ConverterData,
} from './price.ts';

function currency(slug: string, unit: string, decimals: number) {
  return {
    slug,
    unit,
    decimals,
    name: unit,
    symbol: unit.slice(0, 1),
    channel: 'Bank',
    kind: 'bank' as const,
  };
}

function pair(send: string, receive: string, rate: string) {
  const none = { fixed: '0', percent: '0' };
  return {
    slug: `${send}-to-${receive}`,
    send,
    receive,
    rate,
    mid_rate: null,
    mid_source: null,
    mid_as_of: null,
    fees: { send: { fixed: '2.50', percent: '0' }, receive: none },
    min: '20.00',
    max: '5000.00',
    lock_minutes: 15,
    pay_minutes: 60,
    payout_time: '',
  };
}

const data: ConverterData = {
  currencies: [currency('usd', 'USD', 2), currency('eur', 'EUR', 2), currency('jpy', 'JPY', 0)],
  pairs: [
    pair('usd', 'eur', '0.921640'),
    pair('eur', 'usd', '1.071000'),
    pair('usd', 'jpy', '149.26'),
  ],
};

function direction(slug: string) {
  const found = directionOf(data, slug);
  assert.ok(found);
  return found;
}

describe('the converter in the browser', () => {
  it('shows lines that a person can redo', () => {
    const price = priceOf(direction('usd-to-eur'), 'send', '500.00');
    assert.equal(price.kind, 'price');
    assert.deepEqual(price.kind === 'price' && price.quote, {
      send_amount: '500.00',
      send_fee: '2.50',
      exchanged_amount: '497.50',
      rate: '0.921640',
      gross_amount: '458.51',
      receive_fee: '0.00',
      receive_amount: '458.51',
    });
  });

  it('finds the least send for a wished payout', () => {
    const price = priceOf(direction('usd-to-eur'), 'receive', '458.51');
    assert.equal(price.kind === 'price' && price.quote.send_amount, '500.00');
  });

  it('prices an amount outside the limits and says which limit', () => {
    const price = priceOf(direction('usd-to-eur'), 'send', '5000.01');
    assert.deepEqual(price.kind === 'price' && price.trouble, {
      code: 'above_max',
      amount: '5000.00',
      unit: 'USD',
    });
  });

  it('names the decimals a currency does not have', () => {
    const price = priceOf(direction('usd-to-jpy'), 'receive', '10.5');
    assert.deepEqual(price, {
      kind: 'trouble',
      trouble: { code: 'too_many_decimals', decimals: 0, unit: 'JPY' },
    });
  });

  it('says nothing while nothing is entered', () => {
    assert.deepEqual(priceOf(direction('usd-to-eur'), 'send', ''), { kind: 'empty' });
    assert.deepEqual(priceOf(direction('usd-to-eur'), 'send', '0'), { kind: 'empty' });
  });

  it('keeps the other side when it can, swaps on a meeting, else takes what there is', () => {
    const now = direction('usd-to-eur');
    assert.equal(choose(data, now, 'receive', 'jpy').pair.slug, 'usd-to-jpy');
    assert.equal(choose(data, now, 'send', 'eur').pair.slug, 'eur-to-usd');
    assert.equal(choose(data, direction('usd-to-jpy'), 'send', 'eur').pair.slug, 'eur-to-usd');
    assert.equal(choose(data, now, 'send', 'jpy').pair.slug, 'usd-to-eur');
  });

  it('offers only what the desk exchanges', () => {
    assert.deepEqual(
      receiveChoices(data, 'eur').map(({ slug }) => slug),
      ['usd'],
    );
  });

  it('opens on the address and never believes an amount that is none', () => {
    const state = stateFromQuery(
      data,
      new URLSearchParams('pair=usd-to-jpy&side=receive&amount=1e9'),
    );
    assert.equal(state?.direction.pair.slug, 'usd-to-jpy');
    assert.equal(state?.side, 'receive');
    assert.equal(state?.amount, '');
    assert.equal(stateFromQuery(data, new URLSearchParams())?.amount, '200.00');
  });

  it('reads what was written without script, on the side that was written over', () => {
    const sent = 'send=usd&receive=eur&side=send&other_shown=184.33';
    const kept = stateFromQuery(
      data,
      new URLSearchParams(`${sent}&amount=1.234,56&other_amount=184.33`),
    );
    assert.deepEqual([kept?.side, kept?.amount], ['send', '1234.56']);
    const turned = stateFromQuery(
      data,
      new URLSearchParams(`${sent}&amount=200.00&other_amount=1,000.50`),
    );
    assert.deepEqual([turned?.side, turned?.amount], ['receive', '1000.50']);
  });

  it('leads a guest through sign-up and keeps the amounts', () => {
    const path = exchangePath('usd-to-eur', 'send', '500.00', false);
    const next = new URL(path, 'http://x').searchParams.get('next');
    assert.equal(next, '/preview?pair=usd-to-eur&side=send&amount=500.00');
  });
});
