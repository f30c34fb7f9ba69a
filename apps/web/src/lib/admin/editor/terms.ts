/**
 * Terms and what they mean (`dl`). Enter leads from a term to its meaning, from an
 * empty line of that to the next term, and from an empty term out of the list.
 */
import { Node, type Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    terms: {
      /** A list of one term, to be filled in. */
      insertTerms: () => ReturnType;
    };
  }
}

const emptyTerms = {
  type: 'terms',
  content: [{ type: 'term' }, { type: 'meaning', content: [{ type: 'paragraph' }] }],
};

export const Terms = Node.create({
  name: 'terms',
  group: 'block',
  content: '(term | meaning)+',
  isolating: true,
  parseHTML: () => [{ tag: 'dl' }],
  renderHTML: ({ HTMLAttributes }) => ['dl', HTMLAttributes, 0],

  addCommands() {
    return {
      insertTerms:
        () =>
        ({ chain, state }) => {
          const at = state.selection.from;
          return (
            chain()
              .insertContent(emptyTerms)
              // Into the list that came, and its first term.
              .command(({ tr }) => {
                tr.doc.nodesBetween(Math.max(0, at - 1), tr.doc.content.size, (node, place) => {
                  if (node.type.name !== 'term' || node.content.size > 0 || place < at - 1)
                    return true;
                  tr.setSelection(TextSelection.create(tr.doc, place + 1));
                  return false;
                });
                return true;
              })
              .run()
          );
        },
    };
  },
});

export const Term = Node.create({
  name: 'term',
  content: 'inline*',
  defining: true,
  parseHTML: () => [{ tag: 'dt' }],
  renderHTML: () => ['dt', 0],

  addKeyboardShortcuts() {
    return { Enter: ({ editor }) => fromTerm(editor) };
  },
});

export const Meaning = Node.create({
  name: 'meaning',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'dd' }],
  renderHTML: () => ['dd', 0],

  addKeyboardShortcuts() {
    return { Enter: ({ editor }) => fromMeaning(editor) };
  },
});

function fromTerm(editor: Editor): boolean {
  const { $from } = editor.state.selection;
  if ($from.parent.type.name !== 'term') return false;
  const list = $from.node(-1);
  if ($from.parent.content.size === 0 && list.childCount > 1) {
    // Out of the list: the empty term goes, a line of the text comes after.
    const after = $from.after(-1) - $from.parent.nodeSize;
    return editor
      .chain()
      .deleteRange({ from: $from.before(), to: $from.after() })
      .insertContentAt(after, { type: 'paragraph' })
      .setTextSelection(after + 1)
      .run();
  }
  const after = $from.after();
  // Its meaning may be there already, waiting to be written.
  if (editor.state.doc.nodeAt(after)?.type.name === 'meaning') {
    return editor.commands.setTextSelection(after + 2);
  }
  const next = { type: 'meaning', content: [{ type: 'paragraph' }] };
  return editor
    .chain()
    .insertContentAt(after, next)
    .setTextSelection(after + 2)
    .run();
}

function fromMeaning(editor: Editor): boolean {
  const { $from } = editor.state.selection;
  if ($from.depth < 2 || $from.node(-1).type.name !== 'meaning') return false;
  const meaning = $from.node(-1);
  const isLast = $from.index(-1) === meaning.childCount - 1;
  if ($from.parent.content.size > 0 || !isLast || meaning.childCount < 2) return false;
  const after = $from.after(-1) - $from.parent.nodeSize;
  return editor
    .chain()
    .deleteRange({ from: $from.before(), to: $from.after() })
    .insertContentAt(after, { type: 'term' })
    .setTextSelection(after + 1)
    .run();
}
