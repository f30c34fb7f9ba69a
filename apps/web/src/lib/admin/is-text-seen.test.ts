import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isTextSeen } from './is-text-seen.ts';

it('sees no text in what only takes room', () => {
  for (const blank of [
    '',
    '<p></p>',
    '<p>&nbsp;</p>',
    '<h2>\u00a0</h2><p>\u200b &nbsp;\u3164</p>',
  ]) {
    assert.equal(isTextSeen(blank), false, JSON.stringify(blank));
  }
});

it('sees the text between blanks, be it a sign', () => {
  for (const text of ['<p>&nbsp;Words</p>', '<p>&amp;</p>', '<p>&lt;</p>', '<p>۱</p>']) {
    assert.equal(isTextSeen(text), true, text);
  }
});
