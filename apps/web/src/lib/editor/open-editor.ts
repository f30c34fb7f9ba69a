/** TipTap over an element of the page. Loaded when an editor is shown, never before. */
import { Editor } from '@tiptap/core';
import { Selection } from '@tiptap/pm/state';
import { extensions } from './schema.ts';
import { pastedFiles, pastedHtml } from './pasted-html.ts';
import { fittingHeadings, quietHtml, storedHtml } from './stored-html.ts';

export interface Opening {
  readonly element: HTMLElement;
  readonly html: string;
  /** ARIA attributes, `id` and `class` of the place that is typed into. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The HTML to keep, whenever it has become another. */
  readonly onchange: (html: string) => void;
  /** After everything that may change what the buttons say. */
  readonly onturn: () => void;
  /** The keyboard asks for the buttons. */
  readonly ontoolbar: () => void;
  /** Files were pasted or dropped, to be put where the caret is now. */
  readonly onfiles: (files: File[]) => void;
}

/** Tab moves through cells and indents items; after Escape it leads out of the text, as it does everywhere else. */
function tabAfterEscape(): (view: unknown, event: KeyboardEvent) => boolean {
  let leads = false;
  return (_view, { key }) => {
    if (leads && key === 'Tab') return true;
    if (key !== 'Shift') leads = key === 'Escape';
    return false;
  };
}

/** The toolbar stands at the top of the window, a save bar at its end: the caret stays between them. */
const barHeights = { top: 168, right: 0, bottom: 96, left: 0 };

const readHtml = (html: string) => fittingHeadings(quietHtml(html));

export interface Opened {
  readonly editor: Editor;
  /** Replaces what is shown by a text from outside, which is no change of the user's. */
  readonly show: (html: string) => void;
}

export function openEditor(opening: Opening): Opened {
  const { element, html, attributes, onchange, onturn, ontoolbar, onfiles } = opening;
  const editor = new Editor({
    element,
    extensions,
    content: readHtml(html),
    // Its rules stand in the component's own style sheet: the policy knows no other.
    injectCSS: false,
    editorProps: {
      attributes: { ...attributes },
      scrollThreshold: barHeights,
      scrollMargin: barHeights,
      transformPastedHTML: pastedHtml,
      handleDOMEvents: { keydown: tabAfterEscape() },
      handlePaste: (_view, event) => {
        const files = pastedFiles(event.clipboardData);
        if (files.length === 0) return false;
        // The dialog that opens would take them from the window once more.
        event.stopPropagation();
        onfiles(files);
        return true;
      },
      handleDrop: (view, event, _slice, moved) => {
        const files = moved ? [] : pastedFiles(event.dataTransfer);
        if (files.length === 0) return false;
        event.stopPropagation();
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? 0;
        const { tr } = view.state;
        view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at))));
        onfiles(files);
        return true;
      },
      handleKeyDown: (_view, event) => {
        if (event.key !== 'F10' || !event.altKey) return false;
        ontoolbar();
        return true;
      },
    },
  });
  // Opening a text writes it a little differently, which is no change of the user's.
  let shown = storedHtml(editor.getHTML());
  editor.on('update', () => {
    const next = storedHtml(editor.getHTML());
    if (next === shown) return;
    shown = next;
    onchange(next);
  });
  editor.on('transaction', onturn);
  // ProseMirror does so by itself only where the browser moved the caret within 50 ms of the key.
  editor.on('selectionUpdate', ({ transaction }) => {
    if (transaction.scrolledIntoView || transaction.getMeta('pointer') || !editor.isFocused) return;
    editor.view.dispatch(editor.state.tr.scrollIntoView());
  });
  const show = (next: string) => {
    editor.commands.setContent(readHtml(next), { emitUpdate: false });
    // What differs from this is what the user types.
    shown = storedHtml(editor.getHTML());
  };
  return { editor, show };
}
