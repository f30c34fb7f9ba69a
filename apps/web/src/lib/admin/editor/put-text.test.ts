import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getSchema } from '@tiptap/core';
import { history, undo } from '@tiptap/pm/history';
import { EditorState, TextSelection } from '@tiptap/pm/state';
import { putText } from './put-text.ts';
import { extensions } from './schema.ts';

const schema = getSchema(extensions);
const p = (text: string) => ({ type: 'paragraph', content: text ? [{ type: 'text', text }] : [] });
const list = (...items: string[]) => ({
  type: 'bulletList',
  content: items.map((text) => ({ type: 'listItem', content: [p(text)] })),
});
const text = (...content: object[]) => schema.nodeFromJSON({ type: 'doc', content });
const opened = (...content: object[]) =>
  EditorState.create({ doc: text(...content), plugins: [history()] });

const put = (state: EditorState, ...content: object[]) =>
  state.apply(putText(state, text(...content)));
/** As somebody would, with a pause before. */
const typed = (state: EditorState, at: number, words: string) =>
  state.apply(
    state.tr
      .insertText(words, at)
      .setMeta('addToHistory', true)
      .setTime(at * 10_000),
  );
function undone(state: EditorState): EditorState {
  let next = state;
  while (undo(next, (tr) => (next = next.apply(tr))));
  return next;
}
const words = ({ doc }: EditorState) => doc.textBetween(0, doc.content.size, '|');

describe('a text from outside', () => {
  it('is not undone, nor is what was typed in its place', () => {
    const mine = typed(opened(p('First'), p('Second')), 1, 'Mine ');
    assert.equal(words(mine), 'Mine First|Second');
    const thrown = put(mine, p('First'), p('Second'));
    assert.equal(words(undone(thrown)), 'First|Second');
    const theirs = put(mine, p('Theirs First'), p('Second'));
    assert.equal(words(undone(theirs)), 'Theirs First|Second');
    assert.equal(words(undone(put(mine, p('Other')))), 'Other');
  });

  it('leaves what was typed elsewhere to be undone, and the caret where it is', () => {
    const both = typed(opened(p('First'), p('Second')), 8, 'Mine ');
    const caret = both.apply(both.tr.setSelection(TextSelection.create(both.doc, 10)));
    const saved = put(caret, p('First!'), p('Mine Second'));
    assert.equal(words(saved), 'First!|Mine Second');
    assert.equal(saved.selection.from, 11);
    assert.equal(words(undone(saved)), 'First!|Second');
    const before = put(typed(opened(p('First'), p('Second')), 1, 'Mine '), p('Mine First'), p('2'));
    assert.equal(words(undone(before)), 'First|2');
  });

  it('is exactly what it was given, however the two are built', () => {
    const texts = [
      [p('')],
      [p('abc')],
      [p('ab'), list('x', 'c')],
      [list('ab', 'c')],
      [list('ab'), p('abc'), list('abab')],
      [p('aa'), p('aa'), p('aa')],
      [p('aa'), p('aa')],
    ];
    for (const before of texts)
      for (const after of texts) {
        const shown = put(opened(...before), ...after);
        assert.ok(shown.doc.eq(text(...after)), `${JSON.stringify([before, after])} ${shown.doc}`);
      }
  });
});
