/** Keeps the keyboard on the button that moved a row; at either end, where it can do no more, on its other one. */
export function focusMoved(row: HTMLElement | null, step: 1 | -1): void {
  const [up, down] = row?.querySelectorAll('button') ?? [];
  const [pressed, other] = step === -1 ? [up, down] : [down, up];
  (pressed?.disabled ? other : pressed)?.focus();
}
