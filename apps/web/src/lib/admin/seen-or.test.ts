import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seenOr } from './seen-or.ts';

it('a title that nobody sees is none', () => {
  for (const title of ['', ' \u00a0', '\u3164', '\u200b\u202e']) {
    assert.equal(seenOr(title, 'Without a title'), 'Without a title', JSON.stringify(title));
  }
  assert.equal(seenOr('Fees', 'Without a title'), 'Fees');
});
