import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConverterPair } from '@cambist/contract/pairs';
import { monitoredPair, openingOf } from './opening.ts';
import {
  choose,
  directionOf,
  exchangePath,
  isQuotable,
  priceOf,
  rateOf,
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
    export_code: `${unit}BANK`,
    reserve: decimals === 0 ? '1000000' : '1000000.00',
    reserve_capped: false,
  };
}

function pair(
  send: string,
  receive: string,
  rate: string,
  more: Partial<ConverterPair> = {},
): ConverterPair {
  const none = { fixed: '0', percent: '0', min: null, max: null };
  return {
    slug: `${send}-to-${receive}`,
    send,
    receive,
    rate,
    tiers: [],
    mid_rate: null,
    mid_source: null,
    mid_as_of: null,
    fees: { send: { ...none, fixed: '2.50' }, receive: none },
    payout_step: receive === 'jpy' ? '1' : '0.01',
    min: '20.00',
    max: '5000.00',
    day_max: null,
    month_max: null,
    lock_minutes: 15,
    pay_minutes: 60,
    payout_time: '',
    state: 'live',
    stale_at: null,
    hours: null,
    checking: false,
    opens_at: null,
    ...more,
  };
}

const data: ConverterData = {
  currencies: [currency('usd', 'USD', 2), currency('eur', 'EUR', 2), currency('jpy', 'JPY', 0)],
  pairs: [
    pair('usd', 'eur', '0.921640'),
    pair('eur', 'usd', '1.071000'),
    pair('usd', 'jpy', '149.26'),
  ],
  customer_limits: { unit: 'USD', day: null, month: null },
};

function direction(slug: string) {
  const found = directionOf(data, slug);
  assert.ok(found);
  return found;
}

describe('an amount above the reserve', () => {
  const of = (reserve: string, reserve_capped = false) => {
    const { receive, ...rest } = direction('usd-to-eur');
    return { ...rest, receive: { ...receive, reserve, reserve_capped } };
  };
  const trouble = (found: ReturnType<typeof of>, side: 'send' | 'receive', amount: string) => {
    const price = priceOf(found, side, amount);
    return price.kind === 'price' ? price.trouble : price;
  };

  it('is refused with the largest amount, which is then accepted', () => {
    const limit = { code: 'above_reserve', amount: '458.51', unit: 'EUR' };
    assert.deepEqual(trouble(of('458.51'), 'send', '500.01'), limit);
    assert.deepEqual(trouble(of('458.51'), 'receive', '1000'), limit);
    assert.equal(trouble(of('458.51'), 'receive', '458.51'), null);
    assert.equal(trouble(of('458.51'), 'send', '500'), null);
  });

  it('is left to the quote where the desk shows a part of the reserve', () => {
    assert.equal(trouble(of('458.51', true), 'send', '500.01'), null);
  });

  it('has no smaller one where the reserve is below the least amount', () => {
    const limit = { code: 'no_reserve', amount: '', unit: 'EUR' };
    assert.deepEqual(trouble(of('16.00'), 'send', '500'), limit);
    assert.deepEqual(trouble(of('0.00'), 'send', '500'), limit);
  });

  it('is refused by the limit of the pair where that is tighter', () => {
    const limit = { code: 'above_max', amount: '5000.00', unit: 'USD' };
    assert.deepEqual(trouble(of('5000.00'), 'send', '9000'), limit);
  });
});

describe('the converter', () => {
  it('shows lines that can be recalculated', () => {
    const price = priceOf(direction('usd-to-eur'), 'send', '500.00');
    assert.equal(price.kind, 'price');
    assert.deepEqual(price.kind === 'price' && price.quote, {
      send_amount: '500.00',
      send_fee: '2.50',
      exchanged_amount: '497.50',
      rate: '0.921640',
      gross_amount: '458.51',
      receive_fee: '0.00',
      rounding: '0.00',
      receive_amount: '458.51',
    });
  });

  it('names what the payout step cuts off, so that the lines add up', () => {
    const jpy = { ...direction('usd-to-jpy') };
    jpy.pair = pair('usd', 'jpy', '149.26', { payout_step: '1000' });
    const price = priceOf(jpy, 'send', '100.00');
    assert.ok(price.kind === 'price');
    const { gross_amount, receive_fee, rounding, receive_amount } = price.quote;
    assert.deepEqual(
      [gross_amount, receive_fee, rounding, receive_amount],
      ['14552', '0', '552', '14000'], // 97.50 × 149.26 = 14552.85
    );
    const wished = priceOf(jpy, 'receive', '14001');
    assert.equal(wished.kind === 'price' && wished.quote.receive_amount, '15000');
  });

  it('takes the rate of the tier of the amount, from either side', () => {
    const tiered = { ...direction('usd-to-eur') };
    const tiers = [
      { from: '1000.00', rate: '0.925000' },
      { from: '3000.00', rate: '0.930000' },
    ];
    tiered.pair = pair('usd', 'eur', '0.921640', { tiers });
    const rateFor = (side: 'send' | 'receive', amount: string) =>
      rateOf(tiered, priceOf(tiered, side, amount));
    assert.equal(rateFor('send', '999.99'), '0.921640');
    assert.equal(rateFor('send', '1000.00'), '0.925000');
    assert.equal(rateFor('send', '3000'), '0.930000');
    assert.equal(rateFor('send', ''), '0.921640');
    // 997.49 × 0.92164 = 919.32; one cent more is only paid at the tier's rate, for 1000.00.
    assert.equal(rateFor('receive', '919.32'), '0.921640');
    assert.equal(rateFor('receive', '919.33'), '0.925000');
    const price = priceOf(tiered, 'receive', '919.33');
    assert.equal(price.kind === 'price' && price.quote.send_amount, '1000.00');
    assert.equal(price.kind === 'price' && price.quote.receive_amount, '922.68');
  });

  it('gives no new prices on a stale rate or outside working hours', () => {
    const states = ['live', 'delayed', 'stale', 'closed', 'paused'] as const;
    assert.deepEqual(
      states.filter((state) => isQuotable({ state })),
      ['live', 'delayed'],
    );
  });

  it('keeps a fee within its bounds', () => {
    const bounded = { ...direction('usd-to-eur') };
    const send = { fixed: '0', percent: '1', min: '2.00', max: '10.00' };
    bounded.pair = pair('usd', 'eur', '0.921640', {
      fees: { send, receive: { fixed: '0', percent: '0', min: null, max: null } },
    });
    const feeFor = (amount: string) => {
      const price = priceOf(bounded, 'send', amount);
      return price.kind === 'price' ? price.quote.send_fee : price.kind;
    };
    assert.deepEqual(['20', '200', '200.01', '999.99', '1000', '5000'].map(feeFor), [
      '2.00',
      '2.00',
      '2.01',
      '10.00',
      '10.00',
      '10.00',
    ]);
  });

  it('finds the smallest amount to send for a wanted payout', () => {
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

  it('keeps the other side when it can, swaps when both are the same, else takes the first pair', () => {
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

  it('reads the address and ignores an invalid amount', () => {
    const state = stateFromQuery(
      data,
      new URLSearchParams('pair=usd-to-jpy&side=receive&amount=1e9'),
    );
    assert.equal(state?.direction.pair.slug, 'usd-to-jpy');
    assert.equal(state?.side, 'receive');
    assert.equal(state?.amount, '');
    assert.equal(stateFromQuery(data, new URLSearchParams())?.amount, '200.00');
  });

  it('reads the amounts of the form without script, on the changed side', () => {
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

  it('understands monitors’ links, by code or slug and in any case', () => {
    const opened = (query: string) => openingOf(data, new URLSearchParams(query));
    const pairOf = (query: string) => opened(query)?.direction.pair.slug;
    assert.equal(pairOf('cur_from=USDBANK&cur_to=JPYBANK'), 'usd-to-jpy');
    assert.equal(pairOf('cur_from=usdbank&cur_to=jpy'), 'usd-to-jpy');
    assert.equal(pairOf('cur_from=EUR&cur_to=USDBANK&city=x'), 'eur-to-usd');
    assert.equal(pairOf('cur_from=EURBANK&cur_to=GOLD'), 'eur-to-usd');
    assert.equal(pairOf('cur_from=GOLD&cur_to=JPYBANK'), 'usd-to-jpy');
    assert.equal(opened('cur_from=USDBANK&cur_to=JPYBANK&amount=50')?.amount, '50');
  });

  it('names the pair of a monitor’s link, whatever else the address says', () => {
    const meant = (query: string) => monitoredPair(data, new URLSearchParams(query));
    assert.equal(meant('pair=usd-to-eur&cur_from=usdbank&cur_to=jpy'), 'usd-to-jpy');
    assert.equal(meant('cur_from=USDBANK&cur_to=GOLD'), undefined);
    assert.equal(meant('cur_from=USDBANK'), undefined);
    assert.equal(meant('pair=usd-to-eur'), undefined);
  });

  it('distinguishes a pair that is not available from one that is not named', () => {
    const elsewhere = (query: string) => openingOf(data, new URLSearchParams(query))?.elsewhere;
    assert.equal(elsewhere(''), false);
    assert.equal(elsewhere('cur_from=USDBANK'), false);
    assert.equal(elsewhere('pair=usd-to-jpy'), false);
    assert.equal(elsewhere('pair=usd-to-gold'), true);
    assert.equal(elsewhere('cur_from=USDBANK&cur_to=GOLD'), true);
    assert.equal(elsewhere('cur_from=JPYBANK&cur_to=EURBANK'), true);
  });

  it('sends a guest through sign-up and keeps the amounts', () => {
    const path = exchangePath('usd-to-eur', 'send', '500.00', false);
    const next = new URL(path, 'http://x').searchParams.get('next');
    assert.equal(next, '/preview?pair=usd-to-eur&side=send&amount=500.00');
  });
});
