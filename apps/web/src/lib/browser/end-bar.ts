/** Says how high a bar at the window's end is, so that nothing else is laid over it. */
import type { Attachment } from 'svelte/attachments';

export const endBar: Attachment<HTMLElement> = (bar) => {
  const { style } = document.documentElement;
  const watch = new ResizeObserver(() => {
    // Elsewhere on the page, as on a wide screen, it is in nobody's way.
    const isAtEnd = getComputedStyle(bar).position === 'sticky';
    style.setProperty('--end-bar', isAtEnd ? `${bar.offsetHeight}px` : '0px');
  });
  watch.observe(bar);
  return () => {
    watch.disconnect();
    style.removeProperty('--end-bar');
  };
};
