/** The geometry of bars by day, in percent of the box. Values are compared exactly; only the drawing uses numbers. */
import { formatDecimal, parseDecimal, tenTo } from '@cambist/money/decimal';

export interface Bars {
  /** Where zero is, from above. */
  zero: number;
  high: string;
  /** For each series and day; null where there is no value. */
  bars: ({ y: number; height: number } | null)[][];
}

export function drawBars(series: readonly (readonly (string | null)[])[]): Bars {
  const decimals = series.map((values) =>
    values.map((value) => (value === null ? null : parseDecimal(value))),
  );
  const scale = Math.max(0, ...decimals.flat().map((decimal) => decimal?.scale ?? 0));
  const units = decimals.map((values) =>
    values.map((value) => value && value.units * tenTo(scale - value.scale)),
  );
  const known = units.flat().filter((unit) => unit !== null);
  const high = known.reduce((a, b) => (b > a ? b : a), 0n);
  const low = known.reduce((a, b) => (b < a ? b : a), 0n);
  const share = (unit: bigint) => Number((unit * 10_000n) / (high - low || 1n)) / 100;
  const zero = share(high);
  return {
    zero,
    high: formatDecimal({ units: high, scale }),
    bars: units.map((values) =>
      values.map((unit) => {
        if (unit === null) return null;
        const height = Math.abs(share(unit));
        return { y: unit > 0n ? zero - height : zero, height };
      }),
    ),
  };
}
