import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayNames, dayRanges } from '#lib/format/day-names.ts';
import { filterFromQuery, listPath, matches } from './filter.ts';
import { formulaMistake, markedFormula } from './formula-place.ts';
import { fromLocalTime, toLocalTime } from './local-time.ts';
import { samplePair as pair } from './sample.ts';

describe('formulaMistake', () => {
  it('takes the place out of the sentence, counted from 0', () => {
    assert.deepEqual(formulaMistake('This parenthesis is not closed. (At character 9.)'), {
      message: 'This parenthesis is not closed.',
      at: 8,
    });
    assert.equal(formulaMistake('The formula field is required.'), null);
    assert.equal(formulaMistake(undefined), null);
  });

  it('marks the word or the sign at that place', () => {
    assert.deepEqual(markedFormula('usd/eur * x1', 10), {
      before: 'usd/eur * ',
      at: 'x1',
      after: '',
    });
    assert.deepEqual(markedFormula('(1 + 2', 0), { before: '', at: '(', after: '1 + 2' });
    assert.equal(markedFormula('1 +', 3).at, '');
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

describe('local time', () => {
  it('comes back as the same moment', () => {
    const iso = '2026-11-22T17:30:00.000Z';
    assert.equal(fromLocalTime(toLocalTime(iso)), iso);
    assert.match(toLocalTime(iso), /^2026-11-2\dT\d\d:\d\d$/);
  });

  it('is nothing where nothing is written', () => {
    assert.equal(toLocalTime(''), '');
    assert.equal(fromLocalTime(''), '');
    assert.equal(fromLocalTime('tomorrow'), '');
  });
});

describe('the filter of the list', () => {
  const all = filterFromQuery(new URLSearchParams());

  it('reads its address and writes it again, without what it does not know', () => {
    const filter = filterFromQuery(new URLSearchParams('state=stale&mode=nothing&search=usd'));
    assert.deepEqual(filter, { state: 'stale', mode: null, search: 'usd' });
    assert.equal(listPath(filter), '/admin/pairs?state=stale&search=usd');
    assert.equal(listPath(all), '/admin/pairs');
  });

  it('finds by state, mode and the words of both currencies', () => {
    assert.equal(matches(pair, all), true);
    assert.equal(matches(pair, { ...all, state: 'live', mode: 'manual', search: 'EUR usd' }), true);
    assert.equal(matches(pair, { ...all, search: 'usd/eur' }), true);
    assert.equal(matches(pair, { ...all, search: 'usd btc' }), false);
    assert.equal(matches(pair, { ...all, state: 'paused' }), false);
    assert.equal(matches(pair, { ...all, mode: 'formula' }), false);
  });
});
