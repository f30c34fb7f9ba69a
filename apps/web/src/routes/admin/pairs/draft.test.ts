import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pair } from '@cambist/contract/pairs';
import {
  changesOf,
  emptyPair,
  endsNextDay,
  newPairBody,
  nextHours,
  openingAmount,
  pairDraft,
  previewBody,
} from './draft.ts';
import { matches } from './filter.ts';

/** With something in every field. */
const currency = (slug: string, decimals: number): Pair['send'] => ({
  slug,
  unit: slug.toUpperCase(),
  name: slug,
  symbol: '$',
  channel: 'Bank transfer',
  kind: 'bank',
  decimals,
});

const pair: Pair = {
  id: '0',
  slug: 'usd-to-eur',
  send: currency('usd', 2),
  receive: currency('eur', 2),
  rate_mode: 'manual',
  formula: null,
  mid_rate: '0.921640000000000001',
  mid_source: 'manual',
  mid_as_of: '2026-11-21T00:00:00Z',
  mid_confirmed_at: null,
  mid_fresh_until: null,
  mid_until: '2026-11-22T00:00:00Z',
  margin_percent: '-0.25',
  margin_absolute: '0.000000000000000001',
  rate_digits: 6,
  rate: '0.923944',
  rate_min: '0.9',
  rate_max: null,
  tiers: [
    { from: '1000.00', margin_percent: '-0.5' },
    { from: '5000.00', margin_percent: '-1' },
  ],
  send_fee: { fixed: '1.50', percent: '0.5', min: '2.00', max: null },
  receive_fee: { fixed: '0.00', percent: '0', min: null, max: '9.00' },
  payout_step: '5.00',
  hours: [
    { days: [1, 2, 3, 4, 5], from: '09:00', to: '24:00' },
    { days: [6], from: '22:00', to: '02:00' },
  ],
  min_send: '10.00',
  max_send: '99999999999999999999.99',
  day_max_send: null,
  month_max_send: '5000.00',
  lock_minutes: 15,
  pay_minutes: 60,
  evidence: 'either',
  complete_on_approval: true,
  active: true,
  position: 2,
  state: 'live',
  stale_at: null,
  checking: false,
  opens_at: null,
  state_reason: null,
  version: 4,
  updated_at: '2026-11-21T00:00:00Z',
};

describe('changesOf', () => {
  it('gives back what it was drafted from, figures as exact text', () => {
    const changes = changesOf(pairDraft(pair));
    assert.deepEqual(
      Object.keys(changes).map((key) => pair[key as keyof Pair]),
      Object.values(changes),
    );
  });

  it('takes an empty bound as none, and what is no whole number as wrong', () => {
    const draft = {
      ...pairDraft(pair),
      month_max_send: '',
      send_fee: { fixed: '1', percent: '0', min: '', max: '' },
      rate_min: '',
      payout_step: '',
      margin_absolute: '',
      lock_minutes: '1.5',
      pay_minutes: '۴۵',
      hours: [],
      tiers: [],
    };
    const changes = changesOf(draft);
    assert.equal(changes.month_max_send, null);
    assert.equal(changes.send_fee.min, null);
    assert.equal(changes.rate_min, null);
    assert.equal(changes.payout_step, null);
    assert.equal(changes.margin_absolute, '0');
    assert.equal(changes.lock_minutes, -1);
    assert.equal(changes.pay_minutes, 45);
    assert.equal(changes.hours, null);
    assert.deepEqual(changes.tiers, []);
  });

  it('sends a formula with its mode only', () => {
    const draft = { ...pairDraft(pair), formula: ' usd/eur * 1.01 ' };
    assert.equal(changesOf(draft).formula, null);
    assert.equal(changesOf({ ...draft, rate_mode: 'formula' }).formula, 'usd/eur * 1.01');
  });

  it('writes an end at midnight as the end of the day', () => {
    const hours = [{ days: [7, 1], from: '00:00', to: '00:00' }];
    assert.deepEqual(changesOf({ ...pairDraft(pair), hours }).hours, [
      { days: [1, 7], from: '00:00', to: '24:00' },
    ]);
  });
});

describe('newPairBody', () => {
  it('names both currencies, and the first rate where it is set by hand', () => {
    const body = newPairBody(pairDraft(pair));
    assert.deepEqual(
      [body.send, body.receive, body.mid_rate, body.mid_until],
      ['usd', 'eur', '0.921640000000000001', '2026-11-22T00:00:00Z'],
    );
    const automatic = newPairBody({ ...pairDraft(pair), rate_mode: 'automatic' });
    assert.ok(!('mid_rate' in automatic) && !('mid_until' in automatic));
  });
});

describe('previewBody', () => {
  it('asks about a whole draft with an amount on one side', () => {
    const body = previewBody(pairDraft(pair), 'receive', '100');
    assert.equal(body?.side, 'receive');
    assert.equal(body?.amount, '100');
    assert.deepEqual(body?.tiers, pair.tiers);
  });

  it('asks nothing while a figure is missing', () => {
    const draft = pairDraft(pair);
    assert.equal(previewBody(emptyPair(), 'send', '100'), null);
    assert.equal(previewBody(draft, 'send', ''), null);
    assert.equal(previewBody({ ...draft, mid_rate: '' }, 'send', '1'), null);
    assert.notEqual(
      previewBody({ ...draft, mid_rate: '', rate_mode: 'automatic' }, 'send', '1'),
      null,
    );
    assert.equal(previewBody({ ...draft, rate_mode: 'formula' }, 'send', '1'), null);
    assert.equal(previewBody({ ...draft, rate_digits: 'six' }, 'send', '1'), null);
    assert.equal(
      previewBody(
        { ...draft, tiers: [...draft.tiers, { from: '', margin_percent: '1' }] },
        'send',
        '1',
      ),
      null,
    );
    const closed = draft.hours.map((hours) => ({ ...hours, days: [] }));
    assert.equal(previewBody({ ...draft, hours: closed }, 'send', '1'), null);
  });
});

describe('hours', () => {
  it('begin with the working days, then with the days that are left', () => {
    const first = nextHours(emptyPair());
    assert.deepEqual(first, { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' });
    assert.deepEqual(nextHours({ ...emptyPair(), hours: [first] }).days, [6, 7]);
  });

  it('end on the next day where the end is before the beginning', () => {
    assert.equal(endsNextDay({ from: '22:00', to: '02:00' }), true);
    assert.equal(endsNextDay({ from: '09:00', to: '18:00' }), false);
    assert.equal(endsNextDay({ from: '09:00', to: '00:00' }), false);
    assert.equal(endsNextDay({ from: '', to: '02:00' }), false);
  });
});

describe('openingAmount', () => {
  it('is ten times the least, within the limits', () => {
    assert.equal(openingAmount('25.00', '25000.00', 2), '250.00');
    assert.equal(openingAmount('25.00', '100.00', 2), '25.00');
  });

  it('is nothing while the limits are being typed', () => {
    assert.equal(openingAmount('', '25000.00', 2), '');
    assert.equal(openingAmount('1.001', '25000.00', 2), '');
  });
});

describe('the search of the list', () => {
  it('finds by the words of both currencies', () => {
    for (const search of ['', 'EUR usd', 'usd/eur']) assert.equal(matches(pair, search), true);
    assert.equal(matches(pair, 'usd btc'), false);
  });
});
