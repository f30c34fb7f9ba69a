/**
 * What was chosen in a `select` before the page's script came is told like any
 * choice: Svelte keeps what was typed, and would choose anew in a list.
 */
import type { Attachment } from 'svelte/attachments';

/** For a `select` with `bind:value`, which Svelte sets only after this. */
export const keepChoice: Attachment<HTMLSelectElement> = (select) => {
  // Only what the server has rendered says what had been chosen there.
  const offered = select.querySelector<HTMLOptionElement>('[selected]');
  if (offered && !offered.selected) select.dispatchEvent(new Event('change', { bubbles: true }));
};
