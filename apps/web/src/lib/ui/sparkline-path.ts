/**
 * The points of a sparkline. Rates are compared exactly on `bigint`; only the drawing uses numbers.
 */
import { parseDecimal, tenTo } from '@cambist/money/decimal';

export interface SparklineDrawing {
  width: number;
  height: number;
  path: string;
  end: { x: number; y: number };
}

/** Draws decimal strings, oldest first, into a box; null below two points. */
export function drawSparkline(
  values: readonly string[],
  width = 96,
  height = 28,
): SparklineDrawing | null {
  if (values.length < 2) return null;
  const margin = 3;
  const decimals = values.map(parseDecimal);
  const scale = Math.max(...decimals.map((decimal) => decimal.scale));
  const units = decimals.map((decimal) => decimal.units * tenTo(scale - decimal.scale));
  const low = units.reduce((a, b) => (b < a ? b : a));
  const high = units.reduce((a, b) => (b > a ? b : a));
  const room = height - 2 * margin;
  const points = units.map((unit, index) => {
    const share = high === low ? 500n : ((unit - low) * 1000n) / (high - low);
    const x = margin + (index / (units.length - 1)) * (width - 2 * margin);
    return { x: round(x), y: round(margin + room - (Number(share) / 1000) * room) };
  });
  return {
    width,
    height,
    path: points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''),
    end: points.at(-1) ?? { x: 0, y: 0 },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
