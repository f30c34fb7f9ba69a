/** Publishes the height of a bar at the bottom of the window, so that nothing is placed over it. */
import type { Attachment } from 'svelte/attachments';

export const endBar: Attachment<HTMLElement> = (bar) => {
  const { style } = document.documentElement;
  const watch = new ResizeObserver(() => {
    // On a wide screen the bar is not at the bottom.
    const isAtEnd = getComputedStyle(bar).position === 'sticky';
    style.setProperty('--end-bar', isAtEnd ? `${bar.offsetHeight}px` : '0px');
  });
  watch.observe(bar);
  return () => {
    watch.disconnect();
    style.removeProperty('--end-bar');
  };
};
