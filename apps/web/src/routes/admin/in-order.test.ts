import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RatesOverview } from '@cambist/contract/rates';
import { standInMessages } from '#lib/test/stand-in.ts';
import type { RatesStanding } from './in-order.ts';

standInMessages();
const { mailItem, pairsItem, rateItems, ratesStanding, tasksItem, tripsItem } =
  await import('./in-order.ts');

const fine: RatesStanding = {
  enabled: true,
  missing: [],
  quarantine_waiting: 0,
  live: 7,
  delayed: 0,
  stale: 0,
  outcome: 'updated',
};
const said = (standing: Partial<RatesStanding>) =>
  rateItems({ ...fine, ...standing }).map(({ tone, text }) => `${tone} ${text}`);

describe('what the first page says of rates', () => {
  it('is the gravest thing, and a decision that waits besides', () => {
    assert.deepEqual(said({}), ['done sync_today_live']);
    assert.deepEqual(said({ quarantine_waiting: 1 }), [
      'waiting sync_today_quarantine',
      'done sync_today_live_some',
    ]);
    assert.deepEqual(said({ quarantine_waiting: 1, live: 0 }), ['waiting sync_today_quarantine']);
    assert.deepEqual(said({ delayed: 1 }), ['waiting sync_today_delayed']);
    assert.deepEqual(said({ delayed: 1, missing: ['AED'] }), ['waiting sync_today_missing']);
    assert.deepEqual(said({ delayed: 1, outcome: 'failed' }), ['refused sync_today_failed']);
    assert.deepEqual(said({ stale: 1, outcome: 'failed' }), ['refused sync_today_stale']);
    assert.deepEqual(said({ outcome: 'skipped' }), ['waiting sync_today_skipped']);
    assert.deepEqual(said({ live: 0, outcome: null }), ['waiting sync_today_none']);
  });

  it('calls no rate live of which a decision keeps prices from being made', () => {
    const rate = (state: string, awaits: readonly string[] = []) => ({ state, awaits });
    const { live, delayed } = ratesStanding({
      enabled: true,
      missing: [],
      quarantine_waiting: 1,
      rates: [rate('live'), rate('live', ['NGN']), rate('delayed')],
      last_run: null,
    } as unknown as RatesOverview);
    assert.deepEqual([live, delayed], [1, 1]);
  });

  it('is nothing wrong while rates are set by hand, and never that all is well unasked', () => {
    assert.deepEqual(said({ enabled: false, stale: 3 }), ['done sync_today_manual']);
    assert.equal(rateItems(null)[0]?.tone, 'refused');
    assert.equal(tasksItem(null).tone, 'refused');
  });

  it('is of pairs that they give no quotes before that they are paused or have no rate', () => {
    const pairs = { live: 1, others: 0, paused: 1, unpriced: 1, stale: 1, halted: 1 };
    assert.equal(pairsItem(pairs).text, 'sync_today_pairs_stale');
    assert.equal(pairsItem({ ...pairs, stale: 0 }).text, 'sync_today_pairs_halted');
    assert.equal(pairsItem({ ...pairs, stale: 0, halted: 0 }).text, 'admin_today_unpriced');
    const fine = { live: 1, others: 0, paused: 0, unpriced: 0, stale: 0, halted: 0 };
    assert.deepEqual([pairsItem(fine).tone, pairsItem(fine).text], ['done', 'admin_today_live']);
  });

  it('counts what is closed or delayed, and what is paused, beside what is live', () => {
    const some = { live: 29, others: 1, paused: 0, unpriced: 0, stale: 0, halted: 0 };
    assert.equal(pairsItem(some).text, 'pairs_today_others');
    assert.equal(pairsItem({ ...some, paused: 2 }).text, 'pairs_today_paused');
    assert.equal(pairsItem({ ...some, others: 0, paused: 2 }).text, 'pairs_today_paused');
  });

  it('is of emails what can be retried, in the words of their own page', () => {
    const said = (retryable: number, waiting: number) => {
      const { tone, text } = mailItem({ retryable, waiting, transport: 'settings' });
      return `${tone} ${text}`;
    };
    assert.equal(said(3, 1), 'refused mail_failed_title');
    assert.equal(said(0, 1), 'done mail_today_waiting');
    assert.equal(said(0, 0), 'done mail_today_fine');
  });

  it('is of ways that pay the customer, where there are any', () => {
    assert.deepEqual(tripsItem(0), []);
    assert.deepEqual(
      tripsItem(2).map(({ tone, text }) => `${tone} ${text}`),
      ['refused pairs_today_trips'],
    );
  });
});
