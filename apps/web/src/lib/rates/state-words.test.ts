import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateStates } from '@cambist/contract/pair-terms';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message returns its name and its inputs.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const { stateReason, stateWord } = await import('./state-words.ts');
const { hoursInWords } = await import('./hours-words.ts');

describe('the state of a pair', () => {
  it('is a word, with a reason where there are no new prices', () => {
    const words = rateStates.map((state) => {
      const pair = { state, checking: false };
      return [stateWord(pair).word, stateReason(pair)];
    });
    assert.deepEqual(words, [
      ['site_rate_state_live', null],
      ['site_rate_state_delayed', null],
      ['site_rate_state_stale', 'site_rate_why_stale'],
      ['site_rate_state_closed', 'site_rate_why_closed'],
      ['site_rate_state_paused', null],
    ]);
  });

  it('is "being checked" during a jump, not "out of date"', () => {
    const state = { state: 'stale', checking: true } as const;
    assert.equal(stateWord(state).word, 'site_rate_state_checking');
    assert.equal(stateReason(state), 'site_rate_why_checking');
  });

  it('is closed before it is checked', () => {
    assert.equal(stateWord({ state: 'closed', checking: true }).word, 'site_rate_state_closed');
  });
});

it('lists working hours in order', () => {
  const night = { days: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' };
  assert.equal(
    hoursInWords([night, { ...night, days: [6] }], 'en'),
    'pairs_hours_short Mon–Fri 22:00 06:00; pairs_hours_short Sat 22:00 06:00',
  );
});
