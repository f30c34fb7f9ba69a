/**
 * The rosette of a bank note: a closed curve whose radius oscillates while it runs round several
 * times, in layers of parallel lines. Pure geometry, run at build time (routes/rosette.svg,
 * routes/favicon.svg) and once for the small logo.
 */
export interface Layer {
  /** Mean radius, as a share of the rosette's radius. */
  radius: number;
  /** The amplitude about the mean, as a share of the radius. */
  swing: number;
  /** Oscillations in all turns together; coprime with `turns`. */
  lobes: number;
  /** Turns until the line closes. */
  turns: number;
  /** A second, faster oscillation, like an engraver's. */
  ripple?: number;
  /** Parallel lines, each `gap` (a share of the radius) inside the last. */
  lines: number;
  gap: number;
  opacity: number;
  /** Rotation of the layer, in radians. */
  phase?: number;
}

/**
 * A closed line as an SVG path in a box of `size` units, with `steps` points joined by quadratic
 * curves through their midpoints.
 */
export function linePath(layer: Layer, line: number, size: number, steps: number): string {
  const half = size / 2;
  const points: [number, number][] = [];
  for (let step = 0; step < steps; step++) {
    const along = (step / steps) * 2 * Math.PI;
    const swing = layer.swing * Math.cos(along * layer.lobes);
    const ripple = (layer.ripple ?? 0) * Math.cos(along * layer.lobes * 3);
    const radius = half * (layer.radius - line * layer.gap + swing + ripple);
    const angle = along * layer.turns + (layer.phase ?? 0);
    points.push([half + radius * Math.cos(angle), half + radius * Math.sin(angle)]);
  }
  const digits = size > 100 ? 1 : 2;
  const at = ([x, y]: [number, number]) => `${short(x, digits)} ${short(y, digits)}`;
  const middle = (a: [number, number], b: [number, number]): [number, number] => [
    (a[0] + b[0]) / 2,
    (a[1] + b[1]) / 2,
  ];
  const first = points[0] ?? [half, half];
  const last = points.at(-1) ?? first;
  let path = `M${at(middle(last, first))}`;
  for (const [index, point] of points.entries()) {
    path += `Q${at(point)} ${at(middle(point, points[index + 1] ?? first))}`;
  }
  return `${path}Z`;
}

function short(value: number, digits: number): string {
  return String(Math.round(value * 10 ** digits) / 10 ** digits);
}

/** The large faint rosette behind the converter. */
export const largeLayers: readonly Layer[] = [
  {
    radius: 0.74,
    swing: 0.22,
    ripple: 0.02,
    lobes: 43,
    turns: 8,
    lines: 2,
    gap: 0.01,
    opacity: 0.6,
  },
  { radius: 0.55, swing: 0.2, lobes: 29, turns: 6, lines: 2, gap: 0.01, opacity: 0.6 },
  { radius: 0.28, swing: 0.14, lobes: 17, turns: 4, lines: 2, gap: 0.012, opacity: 0.6 },
];

/** The logo: the same curve with fewer turns, so that it is legible at 24 px. */
export const markLayers: readonly Layer[] = [
  { radius: 0.62, swing: 0.3, lobes: 11, turns: 4, lines: 1, gap: 0, opacity: 1 },
];

/** A complete SVG document in one colour. */
export function rosetteSvg(
  layers: readonly Layer[],
  size: number,
  stroke: number,
  colour: string,
): string {
  const groups = layers.map((layer) => {
    const paths = Array.from(
      { length: layer.lines },
      (_, line) => `<path d="${linePath(layer, line, size, layer.lobes * 12)}"/>`,
    );
    return `<g opacity="${layer.opacity}">${paths.join('')}</g>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" fill="none" ` +
    `stroke="${colour}" stroke-width="${stroke}">${groups.join('')}</svg>`
  );
}
