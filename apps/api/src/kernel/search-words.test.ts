import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchWords } from './search-words.ts';

describe('the words of a search', () => {
  it('are beginnings that must all be found', () => {
    assert.equal(searchWords('Red doo'), "'Red':* & 'doo':*");
    assert.equal(searchWords('  € 5,50  '), "'5':* & '50':*");
  });

  it('are compared without accents', () => {
    assert.equal(searchWords('Prüfung cafe\u0301 naïve'), "'Prufung':* & 'cafe':* & 'naive':*");
    assert.equal(searchWords('«کارمزد»'), "'کارمزد':*");
  });

  it('carry no meaning of their own', () => {
    assert.equal(searchWords("a & !b | ('c':*)"), "'a':* & 'b':* & 'c':*");
    assert.equal(searchWords('&|!:*()\'"\\'), '');
    assert.equal(searchWords(' '), null);
    assert.equal(searchWords(''), null);
    assert.equal(searchWords('w '.repeat(50))?.split(' & ').length, 8);
  });
});
