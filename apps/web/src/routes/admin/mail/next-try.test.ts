import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTry } from './next-try.ts';

const at = '2026-11-22T10:00:00.000Z';
const waiting = { state: 'waiting', attempts: 2, next_attempt_at: at } as const;

describe('the next try of a letter', () => {
  it('is a moment to come, and due from then on', () => {
    assert.equal(nextTry(waiting, Date.parse(at) - 1), at);
    assert.equal(nextTry(waiting, Date.parse(at)), 'due');
    assert.equal(nextTry(waiting, Date.parse(at) + 15_000), 'due');
  });

  it('is told of none that was not tried yet, is out, or has failed for good', () => {
    assert.equal(nextTry({ ...waiting, attempts: 0 }, 0), null);
    assert.equal(nextTry({ ...waiting, state: 'sent', next_attempt_at: null }, 0), null);
    assert.equal(nextTry({ ...waiting, state: 'dead' }, 0), null);
  });
});
