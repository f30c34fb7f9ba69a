/**
 * Short words after an action that left no other trace on the page. Never for
 * refusals: those stay where they happened until they are solved. A `failure`
 * is of what has no place of its own, such as a page that could not be fetched.
 */
export interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
}

export type ToastTone = 'done' | 'failure';

const shownMs = 5_000;
let nextId = 1;

export const toasts: Toast[] = $state([]);

/**
 * Shows and announces a sentence for five seconds, or until the next one: together they would
 * cover what is pressed next.
 */
export function toast(text: string, tone: ToastTone = 'done'): void {
  const id = nextId++;
  toasts.splice(0, toasts.length, { id, text, tone });
  setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  const index = toasts.findIndex((one) => one.id === id);
  if (index >= 0) toasts.splice(index, 1);
}
