/**
 * The menu of a phone, on a <details> that opens without a script. It closes with
 * Escape, which gives the focus back to its button, and when the focus goes on to
 * what it covers: nothing has the focus unseen.
 */
import { on } from 'svelte/events';

export function foldedMenu(menu: HTMLDetailsElement): () => void {
  const offKeys = on(document, 'keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || !menu.open) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  const offFocus = on(menu, 'focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
  });
  return () => {
    offKeys();
    offFocus();
  };
}
