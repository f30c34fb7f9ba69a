import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getSchema } from '@tiptap/core';
import { EditorState } from '@tiptap/pm/state';
import { withDirections } from '../../reading/direction.ts';
import { Directions, directionsIn, key } from './directions.ts';
import { extensions } from './schema.ts';

const schema = getSchema(extensions);
const words = (text: string, ...marks: string[]) => ({
  type: 'text',
  text,
  marks: marks.map((type) => ({ type })),
});
const node = (type: string, ...content: object[]) => ({ type, content });
const p = (text: string) => node('paragraph', words(text));
const item = (text: string) => node('listItem', p(text));
const cell = (text: string) => node('tableCell', p(text));
const text = (...content: object[]) => schema.nodeFromJSON(node('doc', ...content));

/** What begins where a direction is given, and that direction, in the order of the text. */
const given = (doc: ReturnType<typeof text>, set = directionsIn(doc)) =>
  set
    .find()
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
    .map((each) => {
      const { dir } = (each as unknown as { type: { attrs: { dir: string } } }).type.attrs;
      return `${doc.nodeAt(each.from)?.type.name} ${dir}`;
    });

describe('the directions of a text in the editor', () => {
  it('are those of its page', () => {
    const doc = text(
      p('سعر'),
      node('bulletList', item('1'), item('2.5 €')),
      node('orderedList', node('listItem', p('12'), node('bulletList', item('a')))),
      node('blockquote', node('bulletList', item('7')), p('نص')),
      node('table', node('tableRow', cell('100'), cell('שער'))),
      node('terms', node('term', words('USD')), node('meaning', p('دولار'))),
      node('paragraph', words('get', 'code'), words(' نص '), words('Esc', 'kbd', 'bold')),
      node('codeBlock', words('نص')),
    );
    const page = withDirections(
      '<p>سعر</p><ul><li>1</li><li>2.5 €</li></ul><ol><li>12<ul><li>a</li></ul></li></ol>' +
        '<blockquote><ul><li>7</li></ul><p>نص</p></blockquote><table><tr><td>100</td><td>שער</td></tr></table>' +
        '<dl><dt>USD</dt><dd>دولار</dd></dl><p><code>get</code> نص <kbd>Esc</kbd></p><pre>نص</pre>',
    );
    const expected = ['ol ltr', 'ul ltr', 'blockquote rtl', 'table rtl', 'dl ltr'];
    assert.deepEqual(
      Array.from(page.matchAll(/<(\w+) dir="(\w+)"/g), ([, tag, dir]) => `${tag} ${dir}`),
      [...expected, 'code ltr', 'kbd ltr', 'pre ltr'],
    );
    assert.deepEqual(given(doc), [
      'orderedList ltr',
      'bulletList ltr',
      'blockquote rtl',
      'table rtl',
      'terms ltr',
      'text ltr',
      'text ltr',
      'codeBlock ltr',
    ]);
  });

  it('follow what is typed', () => {
    const plugins = Directions.config.addProseMirrorPlugins?.call(undefined as never) ?? [];
    const doc = text(node('bulletList', item('12')));
    const before = EditorState.create({ doc, plugins });
    const shown = (state: EditorState) => given(state.doc, key.getState(state));
    assert.deepEqual(shown(before), []);
    const after = before.apply(before.tr.insertText('سعر ', 3));
    assert.deepEqual(shown(after), ['bulletList rtl']);
    const gone = after.apply(after.tr.delete(3, 7));
    assert.deepEqual(shown(gone), []);
  });

  it('are no part of the text', () => {
    const { bulletList, table } = schema.nodes;
    assert.deepEqual(
      [bulletList?.spec.attrs?.['dir'], table?.spec.attrs?.['dir']],
      [undefined, undefined],
    );
  });
});
