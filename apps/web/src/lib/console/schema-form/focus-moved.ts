/** Keeps the keyboard on the button that moved a row. */
export function focusMoved(row: HTMLElement | null, step: 1 | -1): void {
  const [up, down] = row?.querySelectorAll('button') ?? [];
  (step === -1 ? up : down)?.focus();
}
