import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wholeOf } from './whole-number.ts';

it('a count is read in the digits that were typed, and is −1 where it is none', () => {
  const read = [' 12 ', '٣٠', '0', '999999'].map(wholeOf);
  assert.deepEqual(read, [12, 30, 0, 999_999]);
  for (const text of ['', '1.5', '-1', '+1', '1000000', '1 2', '1e3', 'x'])
    assert.equal(wholeOf(text), -1, text);
});
