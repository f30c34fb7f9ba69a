import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getSchema } from '@tiptap/core';
import { EditorState, TextSelection } from '@tiptap/pm/state';
import { leaveTable } from './leave-table.ts';
import { extensions } from './schema.ts';

const schema = getSchema(extensions);
const p = (text: string) => ({ type: 'paragraph', content: text ? [{ type: 'text', text }] : [] });
const cell = (text: string, attrs = {}) => ({ type: 'tableCell', attrs, content: [p(text)] });
const table = (...rows: string[][]) => ({
  type: 'table',
  content: rows.map((cells) => ({
    type: 'tableRow',
    content: cells.map((text) => cell(text)),
  })),
});

/** With the caret in the cell of this number. */
function inCell(number: number, ...content: object[]): EditorState {
  const doc = schema.nodeFromJSON({ type: 'doc', content });
  const cells: number[] = [];
  doc.descendants((node, at) => {
    if (node.type.name === 'tableCell') cells.push(at);
  });
  const selection = TextSelection.create(doc, (cells.at(number) ?? 0) + 2);
  return EditorState.create({ doc, selection });
}

const left = (state: EditorState) => {
  const tr = leaveTable(state);
  if (tr === null) return null;
  const { $from } = tr.selection;
  const rows = tr.doc.firstChild?.childCount;
  return [rows, tr.doc.childCount, $from.depth, $from.index(0), tr.doc.textContent];
};

describe('Tab in the last cell of a table', () => {
  it('leads behind it and takes the empty row away', () => {
    assert.deepEqual(left(inCell(-1, table(['a', 'b'], ['', '']), p('after'))), [
      1,
      2,
      1,
      1,
      'abafter',
    ]);
    assert.deepEqual(left(inCell(-1, table(['a', 'b'], ['', '']))), [1, 2, 1, 1, 'ab']);
  });

  it('leaves a table of one row whole', () => {
    assert.deepEqual(left(inCell(-1, table(['', '']))), [1, 2, 1, 1, '']);
  });

  it('stays in the table before the last cell, and where the last row has something in it', () => {
    for (const state of [
      inCell(-2, table(['a', 'b'], ['', ''])),
      inCell(0, table(['', ''], ['', ''])),
      inCell(-1, table(['a', 'b'], ['c', ''])),
      inCell(-1, table(['a', 'b'], ['', 'd'])),
      EditorState.create({ schema }),
    ])
      assert.equal(left(state), null);
  });

  it('stays where a picture or a list is in the last row', () => {
    const image = { type: 'image', attrs: { src: '/media/abcdefgh-320.webp' } };
    const list = { type: 'bulletList', content: [{ type: 'listItem', content: [p('')] }] };
    for (const held of [image, list]) {
      const rows = [{ type: 'tableRow', content: [{ ...cell(''), content: [held] }, cell('')] }];
      assert.equal(left(inCell(-1, { type: 'table', content: rows })), null);
    }
  });

  it('shortens a cell that reaches down from the row above', () => {
    const rows = [
      { type: 'tableRow', content: [cell('a', { rowspan: 2 }), cell('b')] },
      { type: 'tableRow', content: [cell('')] },
    ];
    const tr = leaveTable(inCell(-1, { type: 'table', content: rows }));
    const spans: unknown[] = [];
    tr?.doc.descendants(({ attrs }) => void spans.push(attrs['rowspan']));
    assert.deepEqual(spans.filter(Number), [1, 1]);
  });
});
