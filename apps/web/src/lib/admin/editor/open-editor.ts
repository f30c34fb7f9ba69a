/** TipTap over an element of the page. Loaded when an editor is shown, never before. */
import { Editor } from '@tiptap/core';
import { extensions } from './schema.ts';
import { pastedHtml } from './pasted-html.ts';
import { quietHtml, storedHtml } from './stored-html.ts';

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
}

export function openEditor(opening: Opening): Editor {
  const { element, html, attributes, onchange, onturn, ontoolbar } = opening;
  const editor = new Editor({
    element,
    extensions,
    content: quietHtml(html),
    // Its rules stand in the component's own style sheet: the policy knows no other.
    injectCSS: false,
    editorProps: {
      attributes: { ...attributes },
      transformPastedHTML: pastedHtml,
      handleKeyDown: (_view, event) => {
        if (event.key !== 'F10' || !event.altKey) return false;
        ontoolbar();
        return true;
      },
    },
  });
  // Opening a text writes it a little differently: that is no change of somebody's.
  let shown = storedHtml(editor.getHTML());
  editor.on('update', () => {
    const next = storedHtml(editor.getHTML());
    if (next === shown) return;
    shown = next;
    onchange(next);
  });
  editor.on('transaction', onturn);
  return editor;
}
