/**
 * What the editor can hold: the allow-list of packages/html, less what it has no
 * place for (`beyondEditor`). What is pasted comes through the same schema, and
 * style attributes are never written, since the pages' policy drops them.
 */
import { Extension, Mark, mergeAttributes } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { idPattern, picturePath, writtenHref } from '@cambist/html/places';
import { Figcaption, Figure } from './figure.ts';
import { Meaning, Term, Terms } from './terms.ts';

/** A table as plain HTML: the extension's own has widths as style attributes. */
const PlainTable = Table.extend({
  renderHTML: ({ HTMLAttributes }) => ['table', mergeAttributes(HTMLAttributes), ['tbody', 0]],
});

/** Widths belong to the page; the extension's commands still ask for them. */
const cell = {
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null, rendered: false, parseHTML: () => null },
};
const PlainCell = TableCell.extend({ addAttributes: () => cell });
const PlainHeader = TableHeader.extend({
  addAttributes: () => ({
    ...cell,
    scope: {
      default: null,
      parseHTML: ({ scope }: HTMLTableCellElement) =>
        scope === 'row' || scope === 'col' ? scope : null,
    },
  }),
});

/** The path of a library picture, also when it was copied from a page of this site; else null. */
export function libraryPath(src: string | null): string | null {
  if (src === null || !URL.canParse(src, location.origin)) return null;
  const { origin, pathname } = new URL(src, location.origin);
  return origin === location.origin && picturePath.test(pathname) ? pathname : null;
}

/** Pictures of the library only: saving drops others. */
const LibraryImage = Image.extend({
  addAttributes: () => ({
    src: {
      default: null,
      parseHTML: (image: HTMLElement) => libraryPath(image.getAttribute('src')),
    },
    alt: { default: '' },
    width: { default: null },
    height: { default: null },
  }),
  parseHTML: () => [
    {
      tag: 'img',
      getAttrs: (image: HTMLElement) =>
        libraryPath(image.getAttribute('src')) === null ? false : null,
    },
  ],
  addInputRules: () => [],
});

/** Marks that have no button but must outlive an edit. */
const rarer = ['kbd', 'sub', 'sup', 'mark'].map((name) =>
  Mark.create({ name, parseHTML: () => [{ tag: name }], renderHTML: () => [name, 0] }),
);

/** Links lead to a heading by its id. */
const HeadingIds = Extension.create({
  name: 'headingIds',
  addGlobalAttributes: () => [
    {
      types: ['heading'],
      attributes: {
        id: {
          default: null,
          keepOnSplit: false,
          parseHTML: ({ id }: HTMLElement) => (idPattern.test(id) ? id : null),
        },
      },
    },
  ],
});

export const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      protocols: ['mailto', 'tel'],
      // The cleaner writes `rel` where it is needed.
      HTMLAttributes: { target: null, rel: null, class: null },
      isAllowedUri: (url) => writtenHref(url) !== null,
    },
    dropcursor: { color: false, class: 'drop-cursor' },
  }),
  HeadingIds,
  ...rarer,
  LibraryImage,
  Figure,
  Figcaption,
  Terms,
  Term,
  Meaning,
  PlainTable.configure({ View: null }),
  TableRow,
  PlainHeader,
  PlainCell,
];
