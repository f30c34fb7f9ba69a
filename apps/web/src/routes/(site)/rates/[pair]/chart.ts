/**
 * Where the line of a chart stands, reckoned on the server. A rate holds until
 * the next one, so the line goes in steps. Rates stay exact: they are compared
 * on `bigint`, and only the place on the drawing is a number.
 */
import type { HistoryRange, RateHistory } from '@cambist/contract/rate-history';
import { parseDecimal, tenTo } from '@cambist/money/decimal';

/** Pixels; the width is the page's, so what stands along it is in percent. */
const TOP = 30;
const BOTTOM = 196;
/** Units of the line's own box along the time. */
const WIDTH = 1000;
/** Percent: nearer to an end, half of a label would be cut off. */
const EDGE = 7;
const SHARES = 100_000n;

export interface ChartPoint {
  /** Percent of the width. */
  x: number;
  y: number;
  at: string;
  rate: string;
}

export interface Drawing {
  /** Path of the line, in a box of 1000 by the height. */
  line: string;
  area: string;
  high: { y: number; rate: string };
  low: { y: number; rate: string };
  points: ChartPoint[];
  ticks: { x: number; at: string }[];
}

type Drawn = Pick<RateHistory, 'points' | 'since' | 'until' | 'high' | 'low' | 'range'>;

/** Null without a point: there is no line then. */
export function drawChart({ points, since, until, high, low, range }: Drawn): Drawing | null {
  if (high === null || low === null || points.length === 0) return null;
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const percent = (at: number) => round(((Math.max(at, from) - from) / (to - from)) * 100);
  const y = heights(high, low);
  const placed = points.map(({ at, rate }) => ({
    x: percent(Date.parse(at)),
    y: y(rate),
    at,
    rate,
  }));
  const steps = placed.map(({ x, y: height }, index) =>
    index === 0 ? `M${along(x)} ${height}` : `H${along(x)}V${height}`,
  );
  const line = `${steps.join('')}H${WIDTH}`;
  return {
    line,
    area: `${line}V${BOTTOM}H${along(placed[0]?.x ?? 0)}Z`,
    high: { y: y(high), rate: high },
    low: { y: y(low), rate: low },
    points: placed,
    ticks: tickTimes(range, from, to)
      .map((at) => ({ x: percent(at), at: new Date(at).toISOString() }))
      .filter(({ x }) => x >= EDGE && x <= 100 - EDGE),
  };
}

/** From a rate to its height; where nothing moved the line runs through the middle. */
function heights(high: string, low: string): (rate: string) => number {
  const scale = Math.max(...[high, low].map((rate) => parseDecimal(rate).scale));
  const units = (rate: string) => {
    const { units: own, scale: places } = parseDecimal(rate);
    return places > scale ? own / tenTo(places - scale) : own * tenTo(scale - places);
  };
  const [most, least] = [units(high), units(low)];
  return (rate) => {
    if (most === least) return (TOP + BOTTOM) / 2;
    const share = Number(((units(rate) - least) * SHARES) / (most - least)) / Number(SHARES);
    return round(BOTTOM - share * (BOTTOM - TOP));
  };
}

const HOUR = 3_600_000;
const EVERY: Record<Exclude<HistoryRange, 'year'>, number> = {
  day: 6 * HOUR,
  week: 48 * HOUR,
  month: 7 * 24 * HOUR,
};

/** Round times in UTC, oldest first; of a year the beginnings of every third month. */
function tickTimes(range: HistoryRange, from: number, to: number): number[] {
  const times: number[] = [];
  if (range === 'year') {
    const first = new Date(from);
    for (let step = 1; step <= 12; step += 1) {
      const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + step, 1);
      if (new Date(at).getUTCMonth() % 3 === 0) times.push(at);
    }
    return times;
  }
  const every = EVERY[range];
  // Days are counted back from the last midnight, so that labels stay where they are all day.
  const last =
    range === 'day' ? Math.floor(to / every) * every : Math.floor(to / (24 * HOUR)) * 24 * HOUR;
  for (let at = last; at >= from; at -= every) times.unshift(at);
  return times;
}

function along(percent: number): number {
  return round((percent / 100) * WIDTH);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
