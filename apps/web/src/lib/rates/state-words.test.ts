import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message returns its name.
standInMessages('(key) => () => key');
const { stateReason, stateWord } = await import('./state-words.ts');

it('a pair is "being checked" during a jump, not "out of date", and closed before that', () => {
  const stale = { state: 'stale', checking: false } as const;
  const checked = { state: 'stale', checking: true } as const;
  const closed = { state: 'closed', checking: true } as const;
  assert.deepEqual(
    [stale, checked, closed].map((state) => [stateWord(state).word, stateReason(state)]),
    [
      ['site_rate_state_stale', 'site_rate_why_stale'],
      ['site_rate_state_checking', 'site_rate_why_checking'],
      ['site_rate_state_closed', 'site_rate_why_closed'],
    ],
  );
});
