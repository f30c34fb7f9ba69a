/**
 * Once a page's script has come, Svelte moves each field's value out of its
 * attribute, and the browser then forgets what was selected in the field: who
 * had selected an amount to write over it would write behind it.
 */
import { onMount } from 'svelte';

/** To be called by the component at the root, before any field's own. */
export function keepSelection(): void {
  if (typeof document === 'undefined') return;
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const { selectionStart, selectionEnd, selectionDirection } = field;
  // A field for e-mail addresses tells no selection.
  if (selectionStart === null) return;
  const restore = () =>
    field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
  // Svelte's own work waits in the same queue, before this.
  onMount(() => queueMicrotask(restore));
}
