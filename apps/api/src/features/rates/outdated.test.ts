import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ago, believed } from '#test/judging.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { outdatedBy } from './outdated.ts';

/** Pounds for a euro, asked about two hours ago. */
const row = {
  id: newId(),
  unit: 'GBP',
  base: 'EUR',
  rate: '1.2',
  inverted: false,
  provider: 'fixer',
  as_of: ago(2 * HOUR),
  reason: 'jump',
  previous_rate: '0.85',
  former_rate: null,
  change_percent: '41.176470',
  contradicted_by: null,
  opinions: [],
  created_at: ago(2 * HOUR),
  seen_at: ago(2 * HOUR),
  decision: null,
  decided_by: null,
  decided_at: null,
  told_at: null,
  told: null,
} as const;

describe('what is believed since a rate was put aside', () => {
  /** Pounds for a dollar of 0.8 euros. */
  const since = (pounds: string, euros = '0.8') =>
    outdatedBy(
      [believed('EUR', 'USD', euros, ago(MINUTE)), believed('GBP', 'USD', pounds, ago(MINUTE))],
      { ...row, opinions: [] },
    );

  it('is in the terms of what waits', () => {
    const told = { unit: 'GBP', base: 'EUR', rate: '0.875', inverted: false, label: 'Fixer' };
    assert.deepEqual(since('0.7'), told);
  });

  it('is as it was given where it can be no rate in those terms', () => {
    const large = `1${'0'.repeat(18)}`;
    const tiny = '0.000000000000000001';
    for (const [pounds, euros] of [
      [large, tiny],
      [tiny, '10'],
    ] as const) {
      const told = { unit: 'GBP', base: 'USD', rate: pounds, inverted: false, label: 'Fixer' };
      assert.deepEqual(since(pounds, euros), told);
    }
  });
});
