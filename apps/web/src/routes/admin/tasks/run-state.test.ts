import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failedTasks, runState } from './run-state.ts';

const now = Date.parse('2026-03-14T12:00:00Z');
const run = (outcome: 'done' | 'failed' | null, started_at = '2026-03-14T11:59:00Z') => ({
  slot: started_at,
  started_at,
  finished_at: null,
  outcome,
  detail: null,
  asked_by: null,
});

describe('the state of a run', () => {
  it('is its outcome, or that it runs, or that its process ended', () => {
    assert.equal(runState(run('done'), now), 'done');
    assert.equal(runState(run('failed'), now), 'failed');
    assert.equal(runState(run(null), now), 'running');
    assert.equal(runState(run(null, '2026-03-14T11:44:59Z'), now), 'lost');
    assert.equal(runState(run(null, '2026-03-15T12:00:00Z'), now), 'lost');
  });

  it('tells of a task by its latest run alone', () => {
    const tasks = [
      { name: 'new', runs: [] },
      { name: 'mended', runs: [run('done'), run('failed')] },
      { name: 'broken', runs: [run('failed'), run('done')] },
      { name: 'killed', runs: [run(null, '2026-03-13T12:00:00Z')] },
      { name: 'busy', runs: [run(null), run('failed')] },
    ];
    assert.deepEqual(
      failedTasks(tasks, now).map(({ name }) => name),
      ['broken', 'killed'],
    );
  });
});
