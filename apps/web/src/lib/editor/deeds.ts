/** What the buttons of the editor do. Only types of TipTap: the frame is there before it is loaded. */
import type { Editor } from '@tiptap/core';
import { m } from '#lib/paraglide/messages.js';

export interface Deed {
  readonly name: string;
  readonly label: () => string;
  /** As `aria-keyshortcuts` writes it. */
  readonly keys?: string;
  /** Whether what is marked is such; absent for what is done once. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly can?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => unknown;
}

/** TipTap's own `focus` waits for a frame, and the first key after it would go to the button. */
function on(editor: Editor) {
  editor.view.focus();
  return editor.chain();
}

function heading(level: 2 | 3 | 4, label: () => string): Deed {
  return {
    name: `heading-${level}`,
    label,
    keys: `Control+Alt+${level}`,
    isOn: (editor) => editor.isActive('heading', { level }),
    run: (editor) => on(editor).toggleHeading({ level }).run(),
  };
}

/** The buttons in their groups; `link` and `image` ask first, which the frame does. */
export const deedGroups: readonly (readonly Deed[])[] = [
  [heading(2, m.editor_heading_2), heading(3, m.editor_heading_3), heading(4, m.editor_heading_4)],
  [
    {
      name: 'bold',
      label: m.editor_bold,
      keys: 'Control+B',
      isOn: (editor) => editor.isActive('bold'),
      run: (editor) => on(editor).toggleBold().run(),
    },
    {
      name: 'italic',
      label: m.editor_italic,
      keys: 'Control+I',
      isOn: (editor) => editor.isActive('italic'),
      run: (editor) => on(editor).toggleItalic().run(),
    },
    {
      name: 'strike',
      label: m.editor_strike,
      keys: 'Control+Shift+S',
      isOn: (editor) => editor.isActive('strike'),
      run: (editor) => on(editor).toggleStrike().run(),
    },
    {
      name: 'code',
      label: m.editor_code,
      keys: 'Control+E',
      isOn: (editor) => editor.isActive('code'),
      run: (editor) => on(editor).toggleCode().run(),
    },
  ],
  [
    {
      name: 'bullets',
      label: m.editor_bullets,
      keys: 'Control+Shift+8',
      isOn: (editor) => editor.isActive('bulletList'),
      run: (editor) => on(editor).toggleBulletList().run(),
    },
    {
      name: 'numbers',
      label: m.editor_numbers,
      keys: 'Control+Shift+7',
      isOn: (editor) => editor.isActive('orderedList'),
      run: (editor) => on(editor).toggleOrderedList().run(),
    },
    {
      name: 'quote',
      label: m.editor_quote,
      keys: 'Control+Shift+B',
      isOn: (editor) => editor.isActive('blockquote'),
      run: (editor) => on(editor).toggleBlockquote().run(),
    },
    {
      name: 'code-block',
      label: m.editor_code_block,
      keys: 'Control+Alt+C',
      isOn: (editor) => editor.isActive('codeBlock'),
      run: (editor) => on(editor).toggleCodeBlock().run(),
    },
    {
      name: 'rule',
      label: m.editor_rule,
      run: (editor) => on(editor).setHorizontalRule().run(),
    },
    {
      name: 'table',
      label: m.editor_table,
      can: (editor) => !editor.isActive('table'),
      run: (editor) => on(editor).insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    },
  ],
  [
    {
      name: 'undo',
      label: m.editor_undo,
      keys: 'Control+Z',
      can: (editor) => editor.can().undo(),
      run: (editor) => on(editor).undo().run(),
    },
    {
      name: 'redo',
      label: m.editor_redo,
      keys: 'Control+Shift+Z',
      can: (editor) => editor.can().redo(),
      run: (editor) => on(editor).redo().run(),
    },
  ],
];

/** Shown while a picture is marked. */
export const captionDeed: Deed = {
  name: 'caption',
  label: m.editor_caption,
  isOn: (editor) => editor.isActive('figure'),
  run: (editor) => on(editor).toggleCaption().run(),
};

/** Shown while the cursor is in a table. */
export const tableDeeds: readonly Deed[] = [
  {
    name: 'row-above',
    label: m.editor_row_above,
    run: (editor) => on(editor).addRowBefore().run(),
  },
  { name: 'row-below', label: m.editor_row_below, run: (editor) => on(editor).addRowAfter().run() },
  { name: 'row-remove', label: m.editor_row_remove, run: (editor) => on(editor).deleteRow().run() },
  {
    name: 'column-before',
    label: m.editor_column_before,
    run: (editor) => on(editor).addColumnBefore().run(),
  },
  {
    name: 'column-after',
    label: m.editor_column_after,
    run: (editor) => on(editor).addColumnAfter().run(),
  },
  {
    name: 'column-remove',
    label: m.editor_column_remove,
    run: (editor) => on(editor).deleteColumn().run(),
  },
  {
    name: 'header-row',
    label: m.editor_header_row,
    run: (editor) => on(editor).toggleHeaderRow().run(),
  },
  {
    name: 'table-remove',
    label: m.editor_table_remove,
    run: (editor) => on(editor).deleteTable().run(),
  },
];
