/**
 * Keeps what was chosen in a `select` before hydration; Svelte keeps typed text, but would reset a
 * choice.
 */
import type { Attachment } from 'svelte/attachments';

/** For a `select` with `bind:value`, which Svelte sets after this. */
export const keepChoice: Attachment<HTMLSelectElement> = (select) => {
  // Only server-rendered elements can have been changed before.
  const offered = select.querySelector<HTMLOptionElement>('[selected]');
  if (offered && !offered.selected) select.dispatchEvent(new Event('change', { bubbles: true }));
};
