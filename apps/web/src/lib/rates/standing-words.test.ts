import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateStates } from '@cambist/contract/pair-terms';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const { standingReason, standingWord } = await import('./standing-words.ts');
const { hoursInWords } = await import('./hours-words.ts');

describe('the standing of a direction', () => {
  it('is a word each, with a reason where there are no new prices', () => {
    const told = rateStates.map((state) => {
      const standing = { state, checking: false };
      return [standingWord(standing).word, standingReason(standing)];
    });
    assert.deepEqual(told, [
      ['site_rate_state_live', null],
      ['site_rate_state_delayed', null],
      ['site_rate_state_stale', 'site_rate_why_stale'],
      ['site_rate_state_closed', 'site_rate_why_closed'],
      ['site_rate_state_paused', null],
    ]);
  });

  it('is told as being checked where a jump waits, not as out of date', () => {
    const standing = { state: 'stale', checking: true } as const;
    assert.equal(standingWord(standing).word, 'site_rate_state_checking');
    assert.equal(standingReason(standing), 'site_rate_why_checking');
  });

  it('is closed before it is checked', () => {
    assert.equal(standingWord({ state: 'closed', checking: true }).word, 'site_rate_state_closed');
  });
});

it('working hours are told one after the other', () => {
  const night = { days: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' };
  assert.equal(
    hoursInWords([night, { ...night, days: [6] }], 'en'),
    'pairs_hours_short Mon–Fri 22:00 06:00; pairs_hours_short Sat 22:00 06:00',
  );
});
