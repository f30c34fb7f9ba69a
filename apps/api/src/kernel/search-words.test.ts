import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchWords } from './search-words.ts';

describe('the words of a search', () => {
  it('are beginnings that must all be found', () => {
    assert.equal(searchWords('Red doo'), "'Red':* & 'doo':*");
    assert.equal(searchWords('  € 5,50  '), "'5':* & '50':*");
  });

  it('are whole with their marks, in the letters of a Persian keyboard', () => {
    assert.equal(searchWords('«كارمزد» विनिमय ۱٫۱۵'), "'کارمزد':* & 'विनिमय':* & '۱':* & '۱۵':*");
  });

  it('are plain Latin letters, and whole in other scripts', () => {
    assert.equal(searchWords('Prüfung cafe\u0301 Straße'), "'Prufung':* & 'cafe':* & 'Strasse':*");
    assert.equal(searchWords('Łódź Đồng Ǿ œuvre'), "'lodz':* & 'dong':* & 'o':* & 'oeuvre':*");
    assert.equal(searchWords('мой ποτέ کَرد 한'), "'мой':* & 'ποτέ':* & 'کَرد':* & '한':*");
  });

  it('carry no meaning of their own', () => {
    assert.equal(searchWords("a & !b | ('c':*)"), "'a':* & 'b':* & 'c':*");
    assert.equal(searchWords('&|!:*()\'"\\'), '');
    assert.equal(searchWords(' '), null);
    assert.equal(searchWords(''), null);
    assert.equal(searchWords('w '.repeat(50))?.split(' & ').length, 8);
  });
});
