import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RateRun } from '@cambist/contract/rates';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const { runLine, someOf } = await import('./words.ts');

const units = (count: number) => Array.from({ length: count }, (_each, place) => `U${place}`);

describe('a run', () => {
  it('is summed up in a line, which names some of many missing units', () => {
    const run = { accepted: 2, quarantined: 1, rejected: 3, missing: units(40) } as RateRun;
    assert.deepEqual(runLine(run).split(', sync_'), [
      'sync_run_accepted 2',
      'run_quarantined 1',
      'run_rejected 3',
      `run_missing 40 sync_units_and_more ${units(12).join(', ')} 28`,
    ]);
    const quiet = { ...run, quarantined: 0, rejected: 0, missing: [] };
    assert.equal(runLine(quiet), 'sync_run_accepted 2');
  });
});

describe('many units', () => {
  it('are named up to a number, and one more takes no more room than its count', () => {
    assert.equal(someOf(units(3), 2), 'U0, U1, U2');
    assert.equal(someOf(units(4), 2), 'sync_units_and_more U0, U1 2');
  });
});
