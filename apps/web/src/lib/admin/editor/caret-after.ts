/**
 * What is typed never takes the place of a picture or a dividing line: after one was
 * put in, the caret stands in a paragraph behind it, and what is typed while one is
 * marked goes there too. Marked things are deleted by the keys for that, or cut. Nor
 * does it go into a table that was pasted.
 */
import { Extension } from '@tiptap/core';
import type { ResolvedPos } from '@tiptap/pm/model';
import {
  NodeSelection,
  Plugin,
  TextSelection,
  type EditorState,
  type Transaction,
} from '@tiptap/pm/state';

/** Where what is marked ends, with the figure around it; null where no such thing is marked. */
function endOfMarked({ selection }: Pick<Transaction, 'selection'>): number | null {
  if (!(selection instanceof NodeSelection)) return null;
  const { node, $from, to } = selection;
  if (!node.isBlock || !node.isAtom) return null;
  return $from.parent.type.name === 'figure' ? $from.after() : to;
}

/** Into the paragraph that begins at `end`, which is made where there is none. */
export function caretAt(tr: Transaction, end: number): Transaction {
  const { paragraph } = tr.doc.type.schema.nodes;
  if (paragraph && tr.doc.nodeAt(end)?.type !== paragraph) tr.insert(end, paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView();
}

/** From a marked thing into the paragraph that follows. */
export function caretAfterMarked(tr: Transaction): boolean {
  const end = endOfMarked(tr);
  if (end !== null) caretAt(tr, end);
  return end !== null;
}

/** What was pasted may end in a picture, or in the last cell of a table: the text goes on behind both. */
export function caretAfterPasted(
  before: EditorState,
  { tr, selection }: EditorState,
): Transaction | null {
  if (caretAfterMarked(tr)) return tr;
  const table = outerTable(selection.$from);
  if (table === 0 || outerTable(before.selection.$from) > 0) return null;
  return caretAt(tr, selection.$from.after(table));
}

/** The depth of the outermost table; 0 outside of any. */
function outerTable(at: ResolvedPos): number {
  const depths = Array.from({ length: at.depth }, (_, index) => index + 1);
  return depths.find((depth) => at.node(depth).type.name === 'table') ?? 0;
}

/** Writes the text behind what is marked; null where nothing such is. */
export function typedAfterMarked(state: EditorState, text: string): Transaction | null {
  const { tr } = state;
  return caretAfterMarked(tr) ? tr.insertText(text) : null;
}

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    caretAfter: {
      /** From a picture or a line that is marked to behind it; else nothing. */
      afterMarked: () => ReturnType;
    };
  }
}

export const CaretAfter = Extension.create({
  name: 'caretAfter',
  addCommands: () => ({
    afterMarked:
      () =>
      ({ tr, dispatch }) => {
        if (dispatch) caretAfterMarked(tr);
        return true;
      },
  }),
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput(view, _from, _to, text) {
          const tr = typedAfterMarked(view.state, text);
          if (tr) view.dispatch(tr);
          return tr !== null;
        },
        handleDOMEvents: {
          // The letters of many languages and of phones come this way, and are read back from the page.
          compositionstart(view) {
            const { tr } = view.state;
            if (caretAfterMarked(tr)) view.dispatch(tr);
            return false;
          },
        },
      },
      appendTransaction(transactions, before, state) {
        const isPaste = transactions.some((each) => each.getMeta('uiEvent') === 'paste');
        return isPaste ? caretAfterPasted(before, state) : null;
      },
    }),
  ],
});
