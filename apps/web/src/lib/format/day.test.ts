import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datesCross, dayNames, dayRanges, readDay } from './day.ts';

describe('readDay', () => {
  it('accepts days that exist', () => {
    assert.equal(readDay('2028-02-29'), '2028-02-29');
    assert.equal(readDay('2026-02-29'), undefined);
    assert.equal(readDay('today'), undefined);
    assert.equal(readDay(null), undefined);
  });
});

describe('datesCross', () => {
  it('is true only when the first day is after the last', () => {
    assert.equal(datesCross({ from: '2026-11-20', to: '2026-11-19' }), true);
    assert.equal(datesCross({ from: '2026-11-20', to: '2025-12-31' }), true);
    assert.equal(datesCross({ from: '2026-11-20', to: '2026-11-20' }), false);
    assert.equal(datesCross({ from: '2026-11-20' }), false);
    assert.equal(datesCross({ to: '2026-11-20' }), false);
    assert.equal(datesCross({}), false);
  });
});

describe('the days of a week', () => {
  it('begin on Monday', () => {
    assert.deepEqual(dayNames('en', 'short').slice(0, 2), ['Mon', 'Tue']);
    assert.equal(dayNames('de', 'long')[6], 'Sonntag');
  });

  it('are told as ranges where three or more follow each other', () => {
    assert.equal(dayRanges([5, 4, 3, 2, 1], 'en'), 'Mon–Fri');
    assert.equal(dayRanges([1, 2, 4, 5, 6], 'en'), 'Mon, Tue, Thu–Sat');
    assert.equal(dayRanges([7], 'en'), 'Sun');
  });
});
