/**
 * What is typed never takes the place of a picture or a dividing line: after one was
 * put in, the caret stands in a paragraph behind it, and what is typed while one is
 * marked goes there too. Marked things are deleted by the keys for that, or cut.
 */
import { Extension } from '@tiptap/core';
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

/** From a marked thing into the paragraph that follows, which is made where there is none. */
export function caretAfterMarked(tr: Transaction): boolean {
  const end = endOfMarked(tr);
  if (end === null) return false;
  const { paragraph } = tr.doc.type.schema.nodes;
  if (paragraph && tr.doc.nodeAt(end)?.type !== paragraph) tr.insert(end, paragraph.create());
  tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView();
  return true;
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
      appendTransaction(transactions, _before, state) {
        if (!transactions.some((each) => each.getMeta('uiEvent') === 'paste')) return null;
        const { tr } = state;
        return caretAfterMarked(tr) ? tr : null;
      },
    }),
  ],
});
