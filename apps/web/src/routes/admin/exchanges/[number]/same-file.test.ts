import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLater } from './same-file.ts';

const at = (uploaded_at: string) => ({ uploaded_at });

describe('isLater', () => {
  it('tells the exchange that had the file first from the one that had it after', () => {
    const [first, second] = [at('2026-11-21T08:00:00.000Z'), at('2026-11-21T08:00:00.001Z')];
    assert.equal(isLater(first, second), true);
    assert.equal(isLater(second, first), false);
  });
  it('warns of both as seen before where both came at one moment', () => {
    const moment = at('2026-11-21T08:00:00.000Z');
    assert.equal(isLater(moment, moment), false);
  });
});
