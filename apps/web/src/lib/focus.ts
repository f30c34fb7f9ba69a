/**
 * Where the keyboard goes on after what had its focus was taken from the page.
 * The browser would begin again at the top of the document, unseen.
 */

/** Whether nothing in sight has the focus any more. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return true;
  // What was hidden keeps the focus until the next frame.
  return activeElement.getClientRects().length === 0;
}

/** Takes the keyboard, and whoever listens, to the head of what stands there now: the first that carries `tabindex="-1"`. */
export function focusHeading(place: ParentNode | undefined): void {
  place?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
