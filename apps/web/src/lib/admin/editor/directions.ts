/**
 * Where lists, quotes, tables and code of the text begin, as on its page (`withDirections`): shown
 * around what is typed, and no part of it, since the page finds it itself.
 */
import { DirectionReader } from '@cambist/markup/directions';
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

/** The elements of nodes and marks that have a direction of their own on the page. */
const elements: Readonly<Record<string, string>> = {
  bulletList: 'ul',
  orderedList: 'ol',
  terms: 'dl',
  blockquote: 'blockquote',
  table: 'table',
  codeBlock: 'pre',
  code: 'code',
  kbd: 'kbd',
};

interface Place {
  readonly from: number;
  readonly to: number;
  readonly isText: boolean;
}

export function directionsIn(doc: Node): DecorationSet {
  const reader = new DirectionReader();
  const places: Place[] = [];
  const read = (node: Node, from: number): void => {
    const { isText, marks, text = '', type } = node;
    const names = [type, ...marks.map((mark) => mark.type)].flatMap(
      ({ name }) => elements[name] ?? [],
    );
    for (const name of names) {
      reader.open(name);
      places.push({ from, to: from + node.nodeSize, isText });
    }
    reader.words(text);
    node.forEach((child, offset) => read(child, from + 1 + offset));
    names.forEach(() => reader.close());
  };
  doc.forEach(read);
  const written = reader.written();
  const decorations = places.flatMap(({ from, to, isText }, at) => {
    const dir = written[at]?.own;
    if (dir === undefined) return [];
    return isText ? Decoration.inline(from, to, { dir }) : Decoration.node(from, to, { dir });
  });
  return DecorationSet.create(doc, decorations);
}

export const key = new PluginKey<DecorationSet>('directions');

export const Directions = Extension.create({
  name: 'directions',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => directionsIn(doc),
        apply: (tr, shown) => (tr.docChanged ? directionsIn(tr.doc) : shown),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});
