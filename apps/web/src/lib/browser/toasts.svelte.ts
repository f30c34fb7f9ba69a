/**
 * Short messages after an action that leaves no other trace on the page. Failures of a form stay
 * beside the form; a `failure` here has no place of its own, such as a page that could not be
 * loaded.
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
 * Shows and announces a message for five seconds, or until the next one, so that messages do not
 * pile up over buttons.
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
