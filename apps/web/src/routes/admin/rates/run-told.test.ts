import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RateRefusal } from '@cambist/contract/rates';
import { standInMessages } from '#lib/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const { runTold } = await import('./run-told.ts');

const run = { accepted: 2, quarantined: 0, refused: 0, refusals: [], missing: [] };
const leftOut = (unit: string, provider: string) =>
  ({ unit, provider, reason: 'left_out' }) as RateRefusal;

describe('a run', () => {
  it('is told with its counts, and each currency that is left out once', () => {
    assert.deepEqual(runTold(run), { line: 'sync_run_accepted 2', unnamed: [] });
    const refusals = [leftOut('GBP', 'fixer'), leftOut('GBP', 'currencyapi')];
    const { line } = runTold({ ...run, quarantined: 1, refused: 3, refusals, missing: ['GBP'] });
    assert.deepEqual(line.split(', '), [
      'sync_run_accepted 2',
      'sync_run_quarantined 1',
      'sync_run_refused 3',
      'sync_run_left_out_needed 1 GBP',
    ]);
    assert.match(runTold({ ...run, refusals }).line, /, sync_run_left_out 1$/);
  });

  it('counts all that are missing, and names the first where they are many', () => {
    const units = (count: number) => Array.from({ length: count }, (_each, place) => `U${place}`);
    const few = units(13);
    assert.deepEqual(runTold({ ...run, missing: few }), {
      line: `sync_run_accepted 2, sync_run_missing 13 ${few.join(', ')}`,
      unnamed: [],
    });
    const many = units(40);
    const named = units(12).join(', ');
    assert.deepEqual(runTold({ ...run, missing: many }), {
      line: `sync_run_accepted 2, sync_run_missing 40 sync_units_and_more ${named} 28`,
      unnamed: many,
    });
  });
});
