/**
 * How far from the window's edges the caret stays. The buttons stand at the top while a
 * text is scrolled, a bar that saves at its end, and what lies beneath them is not seen.
 */

export interface Edges {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Of a line, in pixels, that shows what stands before or behind the caret. */
const room = 8;

/** In pixels, as the bars are now: they grow in a table, and where the window is narrow. */
export function besideBars(place: HTMLElement): Edges {
  return {
    get top() {
      const bar = place.parentElement?.querySelector<HTMLElement>('[data-editor-bar]');
      return bar ? Number.parseFloat(getComputedStyle(bar).top) + bar.offsetHeight + room : room;
    },
    get bottom() {
      const { style } = document.documentElement;
      return (Number.parseFloat(style.getPropertyValue('--end-bar')) || 0) + room;
    },
    left: 0,
    right: 0,
  };
}
