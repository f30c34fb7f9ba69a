import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getSchema } from '@tiptap/core';
import { EditorState, NodeSelection, Selection, type Transaction } from '@tiptap/pm/state';
import { caretAfterMarked, caretAfterPasted, typedAfterMarked } from './caret-after.ts';
import { extensions } from './schema.ts';

const schema = getSchema(extensions);
const p = (text = '') => ({ type: 'paragraph', content: text ? [{ type: 'text', text }] : [] });
const image = { type: 'image', attrs: { src: '/media/abcdefgh-320.webp' } };
const rule = { type: 'horizontalRule' };
const figure = { type: 'figure', content: [image, { type: 'figcaption' }] };

/** With the first picture or line of it marked. */
function marked(...content: object[]): EditorState {
  const doc = schema.nodeFromJSON({ type: 'doc', content });
  let at = -1;
  doc.descendants((node, place) => {
    if (at < 0 && node.isAtom && node.isBlock) at = place;
  });
  return EditorState.create({ doc, selection: NodeSelection.create(doc, at) });
}

const outline = ({ doc }: Pick<Transaction, 'doc'>) =>
  Array.from(doc.content.content, (node) => node.textContent || node.type.name);

describe('what is typed while a picture or a line is marked', () => {
  it('goes into a paragraph behind it, made where there is none', () => {
    for (const thing of [image, rule, figure]) {
      const typed = typedAfterMarked(marked(p('Before.'), thing), 'A');
      assert.ok(typed);
      assert.deepEqual(outline(typed), ['Before.', thing.type, 'A']);
      assert.deepEqual(outline(typed.insertText('B')).at(-1), 'AB');
    }
  });

  it('goes before the words of a paragraph that is there, and leaves other things alone', () => {
    const typed = typedAfterMarked(marked(image, p('after')), 'Just ');
    assert.deepEqual(typed && outline(typed), ['image', 'Just after']);
    const heading = { type: 'heading', attrs: { level: 2 }, content: p('Head').content };
    const between = typedAfterMarked(marked(rule, heading), 'A');
    assert.deepEqual(between && outline(between), ['horizontalRule', 'A', 'Head']);
    const two = typedAfterMarked(marked(image, image), 'A');
    assert.deepEqual(two && outline(two), ['image', 'A', 'image']);
  });

  it('stays in the cell or the item of a list where the picture is', () => {
    const item = { type: 'listItem', content: [p('a'), image] };
    const typed = typedAfterMarked(marked({ type: 'bulletList', content: [item] }), 'b');
    assert.equal(typed?.doc.firstChild?.firstChild?.childCount, 3);
    assert.equal(typed.doc.textContent, 'ab');
  });

  it('is left to the editor where nothing such is marked', () => {
    const { tr } = EditorState.create({ schema });
    assert.equal(caretAfterMarked(tr), false);
  });
});

describe('what is typed after a table was pasted', () => {
  const cell = { type: 'tableCell', content: [p('1.00')] };
  const table = { type: 'table', content: [{ type: 'tableRow', content: [cell, cell] }] };
  /** With the caret at the end of the block of this number. */
  function caretIn(number: number, ...content: object[]): EditorState {
    const doc = schema.nodeFromJSON({ type: 'doc', content });
    const behind = doc.children.slice(0, number + 1).reduce((sum, each) => sum + each.nodeSize, 0);
    return EditorState.create({ doc, selection: Selection.near(doc.resolve(behind), -1) });
  }
  const before = caretIn(0, p(''));

  it('goes behind it, into the paragraph there or a new one', () => {
    for (const after of [[], [p('after')], [table]]) {
      const tr = caretAfterPasted(before, caretIn(1, p('a'), table, ...after));
      assert.ok(tr);
      const { $from } = tr.insertText('TYPED ').selection;
      assert.deepEqual([$from.depth, $from.index(0)], [1, 2]);
      assert.match(tr.doc.child(2).textContent, /^TYPED (after)?$/);
      assert.equal(tr.doc.child(1).textContent, '1.001.00');
    }
  });

  it('stays where it was pasted: in a cell, or behind words', () => {
    const cells = caretIn(0, table);
    assert.equal(caretAfterPasted(cells, cells), null);
    assert.equal(caretAfterPasted(before, caretIn(1, table, p('after'))), null);
  });
});
