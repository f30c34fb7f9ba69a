/** The commands behind the editor's buttons. Imports only types of TipTap: the page loads it later. */
import type { ChainedCommands, Editor } from '@tiptap/core';
import { m } from '#lib/paraglide/messages.js';

export interface Command {
  readonly name: string;
  readonly label: () => string;
  /** As `aria-keyshortcuts` writes it. */
  readonly keys?: string;
  /** Whether the selection has it; absent for a command that only acts. */
  readonly isOn?: (editor: Editor) => boolean;
  readonly can?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => unknown;
}

type Run = (chain: ChainedCommands) => ChainedCommands;

function act(name: string, label: () => string, run: Run, more: Partial<Command> = {}): Command {
  return {
    name,
    label,
    run(editor) {
      // TipTap's own `focus` waits for a frame, and the next key would go to the button.
      editor.view.focus();
      return run(editor.chain()).run();
    },
    ...more,
  };
}

function toggle(name: string, label: () => string, keys: string, type: string, run: Run): Command {
  return act(name, label, run, { keys, isOn: (editor) => editor.isActive(type) });
}

function heading(level: 2 | 3 | 4, label: () => string): Command {
  return act(`heading-${level}`, label, (chain) => chain.toggleHeading({ level }), {
    keys: `Control+Alt+${level}`,
    isOn: (editor) => editor.isActive('heading', { level }),
  });
}

export const headings = [
  heading(2, m.editor_heading_2),
  heading(3, m.editor_heading_3),
  heading(4, m.editor_heading_4),
];

export const marks = [
  toggle('bold', m.editor_bold, 'Control+B', 'bold', (chain) => chain.toggleBold()),
  toggle('italic', m.editor_italic, 'Control+I', 'italic', (chain) => chain.toggleItalic()),
  toggle('strike', m.editor_strike, 'Control+Shift+S', 'strike', (chain) => chain.toggleStrike()),
  toggle('code', m.editor_code, 'Control+E', 'code', (chain) => chain.toggleCode()),
];

export const blocks = [
  toggle('bullets', m.editor_bullets, 'Control+Shift+8', 'bulletList', (chain) =>
    chain.toggleBulletList(),
  ),
  toggle('numbers', m.editor_numbers, 'Control+Shift+7', 'orderedList', (chain) =>
    chain.toggleOrderedList(),
  ),
  toggle('quote', m.editor_quote, 'Control+Shift+B', 'blockquote', (chain) =>
    chain.toggleBlockquote(),
  ),
  toggle('code-block', m.editor_code_block, 'Control+Alt+C', 'codeBlock', (chain) =>
    chain.toggleCodeBlock(),
  ),
  act('rule', m.editor_rule, (chain) => chain.setHorizontalRule()),
  act(
    'table',
    m.ui_table,
    (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
    { can: (editor) => !editor.isActive('table') },
  ),
];

export const steps = [
  act('undo', m.editor_undo, (chain) => chain.undo(), {
    keys: 'Control+Z',
    can: (editor) => editor.can().undo(),
  }),
  act('redo', m.editor_redo, (chain) => chain.redo(), {
    keys: 'Control+Shift+Z',
    can: (editor) => editor.can().redo(),
  }),
];

/** Shown while a picture is selected. */
export const caption = act('caption', m.editor_caption, (chain) => chain.toggleCaption(), {
  isOn: (editor) => editor.isActive('figure'),
});

/** Shown while the caret is in a table. */
export const tableCommands = [
  act('row-above', m.editor_row_above, (chain) => chain.addRowBefore()),
  act('row-below', m.editor_row_below, (chain) => chain.addRowAfter()),
  act('row-remove', m.editor_row_remove, (chain) => chain.deleteRow()),
  act('column-before', m.editor_column_before, (chain) => chain.addColumnBefore()),
  act('column-after', m.editor_column_after, (chain) => chain.addColumnAfter()),
  act('column-remove', m.editor_column_remove, (chain) => chain.deleteColumn()),
  act('header-row', m.editor_header_row, (chain) => chain.toggleHeaderRow()),
  act('table-remove', m.editor_table_remove, (chain) => chain.deleteTable()),
];
