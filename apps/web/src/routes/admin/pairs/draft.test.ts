import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pair } from '@cambist/contract/pairs';
import { changesOf, newPairBody, pairDraft } from './draft.ts';

const currency = (slug: string, decimals: number): Pair['send'] => ({
  slug,
  unit: slug.toUpperCase(),
  name: slug,
  symbol: '$',
  channel: 'bank',
  kind: 'bank',
  decimals,
});
const pair: Pair = {
  id: '0',
  slug: 'usd-to-eur',
  send: currency('usd', 2),
  receive: currency('eur', 2),
  rate_mode: 'manual',
  mid_rate: '0.921640000000000001',
  mid_source: 'manual',
  mid_as_of: '2026-11-21T00:00:00Z',
  mid_confirmed_at: null,
  mid_fresh_until: null,
  mid_until: null,
  formula: null,
  margin_absolute: '0',
  rate_min: null,
  rate_max: null,
  tiers: [],
  payout_step: null,
  hours: null,
  state: 'live',
  state_reason: null,
  stale_at: null,
  opens_at: null,
  margin_percent: '-0.25',
  rate_digits: 6,
  rate: '0.923944',
  send_fee: { fixed: '1.50', percent: '0.5', min: null, max: null },
  receive_fee: { fixed: '0.00', percent: '0', min: null, max: null },
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
  version: 4,
  updated_at: '2026-11-21T00:00:00Z',
};

describe('changesOf', () => {
  it('gives back what it was drafted from, figures as exact text', () => {
    const changes = changesOf(pairDraft(pair));
    // A fee's bounds that are not named stay as they are.
    const fee = ({ fixed, percent }: Pair['send_fee']) => ({ fixed, percent });
    const named: Record<string, unknown> = {
      ...pair,
      send_fee: fee(pair.send_fee),
      receive_fee: fee(pair.receive_fee),
    };
    assert.deepEqual(
      Object.keys(changes).map((key) => named[key]),
      Object.values(changes),
    );
  });

  it('takes an empty limit as none, and what is no whole number as wrong', () => {
    const draft = { ...pairDraft(pair), month_max_send: '', lock_minutes: '1.5' };
    assert.equal(changesOf(draft).month_max_send, null);
    assert.equal(changesOf(draft).lock_minutes, -1);
  });
});

describe('newPairBody', () => {
  it('names both currencies and the first rate', () => {
    const body = newPairBody(pairDraft(pair));
    assert.deepEqual(
      [body.send, body.receive, body.mid_rate],
      ['usd', 'eur', '0.921640000000000001'],
    );
  });
});
