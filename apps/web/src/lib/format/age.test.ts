import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ageOf } from './age.ts';

const minute = 60_000;

describe('ageOf', () => {
  it('counts whole minutes, hours and days', () => {
    assert.deepEqual(ageOf(0, 11.9 * minute), { days: 0, hours: 0, minutes: 11 });
    assert.deepEqual(ageOf(0, 64 * minute), { days: 0, hours: 1, minutes: 4 });
    assert.deepEqual(ageOf(0, (3 * 1440 + 125) * minute), { days: 3, hours: 2, minutes: 5 });
  });

  it('is never below zero when clocks differ', () => {
    assert.deepEqual(ageOf(5 * minute, 0), { days: 0, hours: 0, minutes: 0 });
  });
});
