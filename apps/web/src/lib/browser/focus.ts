/**
 * Where the focus goes when its element is removed. The browser would silently start again at the
 * top.
 */
import { tick } from 'svelte';

/** Whether nothing visible has the focus. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return true;
  // A hidden element keeps the focus until the next frame.
  return activeElement.getClientRects().length === 0;
}

/**
 * After a dialog: focuses its opener, or the heading of `place` when the opener is gone or
 * disabled. `place` is looked up when the dialog opens, since the opener may leave the page.
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

/** Focuses the first element with `tabindex="-1"`, usually a heading. */
export function focusHeading(place: ParentNode | undefined): void {
  place?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}

/** An attachment for a message that an action leaves: on a phone it may be out of sight. */
export function takeFocus(message: HTMLElement): void {
  message.focus({ preventScroll: true });
  message.scrollIntoView({ block: 'center' });
}
