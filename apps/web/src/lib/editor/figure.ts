/**
 * A picture with words beneath it. Other things that a figure could hold are left
 * to the HTML (`beyondEditor`).
 */
import { Node, type Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    figure: {
      /** Puts a place for words beneath the picture that is marked, or takes it away. */
      toggleCaption: () => ReturnType;
    };
  }
}

export const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'image figcaption',
  isolating: true,
  parseHTML: () => [{ tag: 'figure' }],
  renderHTML: () => ['figure', 0],

  addCommands() {
    return {
      toggleCaption:
        () =>
        ({ state: { selection, schema }, tr, dispatch }) => {
          if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image') {
            return false;
          }
          const { $from, from, node } = selection;
          if (!dispatch) return true;
          if ($from.parent.type.name === 'figure') {
            tr.replaceWith($from.before(), $from.after(), node);
            tr.setSelection(NodeSelection.create(tr.doc, $from.before()));
            return true;
          }
          const caption = schema.nodes['figcaption']?.create();
          const figure = schema.nodes['figure']?.create(null, caption ? [node, caption] : [node]);
          if (!figure) return false;
          tr.replaceWith(from, selection.to, figure);
          // Into the figure, past the picture, into its words.
          tr.setSelection(TextSelection.create(tr.doc, from + 1 + node.nodeSize + 1));
          return true;
        },
    };
  },
});

export const Figcaption = Node.create({
  name: 'figcaption',
  content: 'inline*',
  defining: true,
  parseHTML: () => [{ tag: 'figcaption' }],
  renderHTML: () => ['figcaption', 0],

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) => leave(editor),
      Backspace: ({ editor }) => dropEmpty(editor),
    };
  },
});

/** The line after the words of a picture is a paragraph of the text. */
function leave(editor: Editor): boolean {
  const { $from } = editor.state.selection;
  if ($from.parent.type.name !== 'figcaption') return false;
  const after = $from.after(-1);
  return editor
    .chain()
    .insertContentAt(after, { type: 'paragraph' })
    .setTextSelection(after + 1)
    .run();
}

/** Words that were emptied go, and the picture stays. */
function dropEmpty(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  const { parent } = $from;
  if (!empty || parent.type.name !== 'figcaption' || parent.content.size > 0) return false;
  return editor.chain().setNodeSelection($from.start(-1)).toggleCaption().run();
}
