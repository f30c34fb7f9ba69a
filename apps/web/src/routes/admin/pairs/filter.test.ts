import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayNames, dayRanges } from '#lib/format/day.ts';
import { filterFromQuery, listPath, matches } from './filter.ts';
import { samplePair as pair } from './sample.ts';

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

describe('the filter of the list', () => {
  it('reads its address and writes it again, without what it does not know', () => {
    const filter = filterFromQuery(new URLSearchParams('state=stale&mode=nothing&search=usd'));
    assert.deepEqual(filter, { state: 'stale', search: 'usd' });
    assert.equal(listPath(filter), '/admin/pairs?state=stale&search=usd');
    assert.equal(listPath(filterFromQuery(new URLSearchParams())), '/admin/pairs');
  });

  it('finds by the words of both currencies', () => {
    for (const search of ['', 'EUR usd', 'usd/eur']) assert.equal(matches(pair, search), true);
    assert.equal(matches(pair, 'usd btc'), false);
  });
});
