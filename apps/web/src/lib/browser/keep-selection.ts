/**
 * When a page hydrates, Svelte sets each field's value and the browser drops the selection: a
 * visitor who had selected an amount to replace it would append to it.
 */
import { onMount } from 'svelte';

/** Called by the root component, before any field. */
export function keepSelection(): void {
  if (typeof document === 'undefined') return;
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const { selectionStart, selectionEnd, selectionDirection } = field;
  // Email fields have no selection.
  if (selectionStart === null) return;
  const restore = () =>
    field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
  // Svelte's own work is queued before this.
  onMount(() => queueMicrotask(restore));
}
