/**
 * Where the keyboard goes on after what had its focus was taken from the page.
 * The browser would begin again at the top of the document, unseen.
 */
import { tick } from 'svelte';

/** Whether nothing in sight has the focus any more. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return true;
  // What was hidden keeps the focus until the next frame.
  return activeElement.getClientRects().length === 0;
}

/**
 * After a dialog has closed: back to what opened it, or, where that is gone or
 * cannot be used any more, to the head of the part it stood in. `place` is asked
 * for when the dialog opens, since later its opener has left the page.
 */
export async function giveFocusBack(opener: Element | null, place: Element | null): Promise<void> {
  await tick();
  if (!isFocusLost()) return;
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  if (!isFocusLost()) return;
  const part = place?.isConnected ? place : document.querySelector('main');
  const heading = part?.querySelector<HTMLElement>('h1, h2, h3');
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Takes the keyboard, and whoever listens, to the head of what stands there now: the first that carries `tabindex="-1"`. */
export function focusHeading(place: ParentNode | undefined): void {
  place?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
