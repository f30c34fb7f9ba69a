import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pair } from '@cambist/contract/pairs';
import type { RatesOverview } from '@cambist/contract/rates';
import { standInMessages } from '#lib/test/stand-in.ts';
import type { Problem } from './problems.ts';

standInMessages();
const { mailProblems, pairProblems, rateProblems } = await import('./problems.ts');

const named = (problems: Problem[]) => problems.map(({ tone, text }) => `${tone} ${text}`);

describe('the problems with rates', () => {
  const states = (...names: string[]) => names.map((state) => ({ state }));
  const cases: [string, object, string[]][] = [
    ['none', {}, []],
    ['a decision', { quarantine_waiting: 1 }, ['waiting sync_today_quarantine']],
    ['delayed', { rates: states('delayed') }, ['waiting sync_today_delayed']],
    [
      'missing before delayed',
      { missing: ['AED'], rates: states('delayed') },
      ['waiting sync_today_missing'],
    ],
    ['a skipped run', { last_run: { outcome: 'skipped' } }, ['waiting sync_today_skipped']],
    [
      'a failed run',
      { missing: ['AED'], last_run: { outcome: 'failed' } },
      ['refused sync_today_failed'],
    ],
    [
      'stale first',
      { rates: states('stale'), last_run: { outcome: 'failed' } },
      ['refused sync_today_stale'],
    ],
    ['no rates yet', { rates: [] }, ['waiting sync_today_none']],
    ['none while rates are set manually', { enabled: false, rates: states('stale') }, []],
  ];
  for (const [name, change, expected] of cases) {
    it(`are: ${name}`, () => {
      const fine = {
        enabled: true,
        missing: [],
        quarantine_waiting: 0,
        rates: states('live'),
        last_run: null,
      };
      assert.deepEqual(
        named(rateProblems({ ...fine, ...change } as unknown as RatesOverview)),
        expected,
      );
    });
  }
});

describe('the problems with pairs', () => {
  const pair = (state: string, rate: string | null = '1', active = true) =>
    ({ state, rate, active }) as Pair;
  const problems = (pairs: Pair[], roundTrips: unknown[] = []) =>
    named(pairProblems({ pairs, roundTrips }));

  it('are the worst one: no quotes, then a rate that is not allowed, then no rate', () => {
    const [halted, unpriced] = [pair('paused'), pair('paused', null)];
    assert.deepEqual(problems([pair('stale'), halted, unpriced]), [
      'refused sync_today_pairs_stale',
    ]);
    assert.deepEqual(problems([halted, unpriced]), ['waiting sync_today_pairs_halted']);
    assert.deepEqual(problems([unpriced]), ['waiting admin_today_unpriced']);
    assert.deepEqual(problems([pair('live'), pair('stale', '1', false)]), []);
  });

  it('are also exchanges in a circle that gain money', () => {
    assert.deepEqual(problems([pair('live')], [{}]), ['refused pairs_today_trips']);
  });
});

describe('the problems with emails', () => {
  it('are those that can be sent again, or that none is sent', () => {
    assert.deepEqual(named(mailProblems({ retryable: 3, transport: 'settings' })), [
      'refused mail_failed_title',
    ]);
    assert.deepEqual(named(mailProblems({ retryable: 0, transport: 'settings' })), []);
    assert.deepEqual(named(mailProblems({ retryable: 0, transport: 'none' })), [
      'refused mail_stopped_title',
    ]);
  });
});
