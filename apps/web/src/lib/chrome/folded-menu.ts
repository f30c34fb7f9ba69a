/**
 * The phone's menu, a <details> that opens without script. It closes with Escape, which returns the
 * focus to its button, and when the focus leaves it, so that no focus is hidden below it.
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
