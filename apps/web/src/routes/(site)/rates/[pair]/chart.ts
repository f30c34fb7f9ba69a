/**
 * The geometry of a chart, calculated on the server. A rate holds until the next one, so the line
 * has steps. Rates are compared exactly on `bigint`; only the drawing uses numbers.
 */
import type { RateHistory } from '@cambist/contract/rate-history';
import { parseDecimal, tenTo } from '@cambist/money/decimal';

/** Pixels; horizontal positions are in percent. */
const TOP = 30;
const BOTTOM = 196;
/** Units of the line's box along the time. */
const WIDTH = 1000;
/** Percent: nearer to an end, a label would be cut off. */
const EDGE = 7;
const SHARES = 100_000n;

export interface ChartPoint {
  /** Percent of the width. */
  x: number;
  y: number;
  at: string;
  rate: string;
}

/** How times are labelled: by time, day or month. */
export type TickLook = 'time' | 'day' | 'month';

export interface Drawing {
  /** The path of the line, in a box of 1000 by the height. */
  line: string;
  /** Closes the line to an area. */
  ground: string;
  high: { y: number; rate: string };
  low: { y: number; rate: string };
  points: ChartPoint[];
  ticks: { x: number; at: string }[];
  look: TickLook;
}

type Drawn = Pick<RateHistory, 'points' | 'since' | 'until' | 'high' | 'low'>;

/**
 * Null without a line: no point, or the one rate of a new pair. A pair younger than the range uses
 * the whole width for its lifetime.
 */
export function drawChart({ points, since, until, high, low }: Drawn): Drawing | null {
  const [first] = points;
  if (high === null || low === null || first === undefined) return null;
  const [start, to] = [Date.parse(since), Date.parse(until)];
  const from = Math.max(start, Date.parse(first.at));
  if (from >= to || (from > start && points.length === 1)) return null;
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
  const { times, look } = tickTimes(from, to);
  return {
    line,
    ground: `V${BOTTOM}H${along(placed[0]?.x ?? 0)}Z`,
    high: { y: y(high), rate: high },
    low: { y: y(low), rate: low },
    points: placed,
    ticks: times
      .map((at) => ({ x: percent(at), at: new Date(at).toISOString() }))
      .filter(({ x }) => x >= EDGE && x <= 100 - EDGE),
    look,
  };
}

/** The height of a rate; a constant rate is in the middle. */
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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Up to a day each divides it. */
const STEPS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];
/** As many as fit on a phone. */
const MOST_TICKS = 4.5;

/** Round times in UTC, oldest first; for most of a year the start of every third month. */
function tickTimes(from: number, to: number): { times: number[]; look: TickLook } {
  const every = STEPS.find((step) => to - from <= step * MOST_TICKS);
  if (every === undefined) return { times: quarters(from), look: 'month' };
  // Counted back from the last midnight, so that labels stay in place all day.
  const unit = Math.min(every, DAY);
  const times: number[] = [];
  for (let at = Math.floor(to / unit) * unit; at >= from; at -= every) times.unshift(at);
  return { times, look: every < DAY ? 'time' : 'day' };
}

function quarters(from: number): number[] {
  const first = new Date(from);
  return Array.from({ length: 12 }, (_, month) =>
    Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month + 1, 1),
  ).filter((at) => new Date(at).getUTCMonth() % 3 === 0);
}

function along(percent: number): number {
  return round((percent / 100) * WIDTH);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
