import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stretchesOf } from '@cambist/markup/readable';
import { fieldDiffs } from './field-diff.ts';

const row = '<tr><td>A</td></tr>';
const diffOf = (before: string, after: string) =>
  fieldDiffs(['body'], { body: stretchesOf(before) }, { body: stretchesOf(after) });

describe('a field of which every word is the same and set alike', () => {
  it('is told by the elements that begin and end elsewhere', () => {
    const table = (rows: string) => `<table><tbody>${rows}</tbody></table>`;
    const changes = [
      [table(row + row), table(row) + table(row), 'tables'],
      ['<ul><li>A</li><li>A</li></ul>', '<ul><li>A</li></ul><ul><li>A</li></ul>', 'lists'],
    ] as const;
    for (const [one, two, kind] of changes) {
      const told = [{ field: 'body', parts: [], kinds: [kind] }];
      assert.deepEqual(diffOf(one, two), told);
      assert.deepEqual(diffOf(two, one), told);
    }
  });

  it('is told by lists and tables that were parted where a word has changed too', () => {
    const kindsOf = (after: string) => {
      const [difference] = diffOf('<ul><li>A</li><li>B</li></ul><p>C</p>', after);
      assert.ok(difference?.parts.some(({ kind }) => kind === 'added'));
      return difference?.kinds;
    };
    assert.deepEqual(kindsOf('<ul><li>A</li></ul><ul><li>B</li></ul><p>D</p>'), ['lists']);
    // A new item is told by its words.
    assert.deepEqual(kindsOf('<ul><li>A</li><li>B</li><li>N</li></ul><p>C</p>'), []);
  });
});
