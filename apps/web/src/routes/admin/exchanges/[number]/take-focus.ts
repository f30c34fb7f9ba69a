/** Brings into view what has just been put into the page, and the keyboard to it. */
import type { Attachment } from 'svelte/attachments';

/** Again whenever `news` is another: the same notice may tell of a second refusal. */
export function takeFocus(news: () => unknown): Attachment<HTMLElement> {
  return (place) => {
    news();
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'center' });
  };
}
