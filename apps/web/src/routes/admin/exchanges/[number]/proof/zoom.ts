/** The proof viewer's sizes. Lengths are CSS pixels, a zoom of 1 is the picture's own size. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Turn = 0 | 90 | 180 | 270;
/** `width`: as wide as the frame. `whole`: all of it in sight. A number: that zoom. */
export type Zoom = 'width' | 'whole' | number;

const steps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8] as const;

export function turned(size: Size, turn: Turn): Size {
  return turn % 180 === 0 ? size : { width: size.height, height: size.width };
}

export function nextTurn(turn: Turn): Turn {
  return ((turn + 90) % 360) as Turn;
}

/** The zoom as a number. What fits is never blown up beyond its own size. */
export function scaleOf(zoom: Zoom, picture: Size, frame: Size, turn: Turn): number {
  if (typeof zoom === 'number') return zoom;
  const { width, height } = turned(picture, turn);
  if (width <= 0 || height <= 0 || frame.width <= 0 || frame.height <= 0) return 1;
  const across = frame.width / width;
  return Math.min(1, zoom === 'width' ? across : Math.min(across, frame.height / height));
}

/** The next step up or down from any scale; the last one at the ends. */
export function step(scale: number, direction: 1 | -1): number {
  // A hair's breadth, so that a fitted scale that is nearly a step does not count as another.
  const edge = direction * 0.005;
  const next =
    direction === 1
      ? steps.find((each) => each > scale + edge)
      : steps.findLast((each) => each < scale + edge);
  return next ?? (direction === 1 ? Math.max(scale, 8) : Math.min(scale, 0.1));
}
