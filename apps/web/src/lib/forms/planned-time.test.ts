import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plannedTime } from './planned-time.ts';

describe('a planned time', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const plan = (text: string) => plannedTime(text, 'Europe/Berlin', now);

  it('is a moment in the desk’s zone, also one that is over', () => {
    assert.deepEqual(plan('2026-11-21T18:30'), { at: '2026-11-21T17:30:00.000Z' });
    assert.deepEqual(plan('2019-05-01T00:00'), { at: '2019-04-30T22:00:00.000Z' });
    assert.deepEqual(plan('2031-11-21T13:00'), { at: '2031-11-21T12:00:00.000Z' });
  });

  it('is not missing, and not more than five years ahead', () => {
    assert.deepEqual(plan(''), { fault: 'missing' });
    for (const text of ['2031-11-21T13:01', '9999-12-31T00:00'])
      assert.deepEqual(plan(text), { fault: 'far' }, text);
  });
});
