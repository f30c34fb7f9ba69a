/**
 * Where the line of a chart stands, reckoned on the server. A rate holds until
 * the next one, so the line goes in steps. Rates stay exact: they are compared
 * on `bigint`, and only the place on the drawing is a number.
 */
import type { RateHistory } from '@cambist/contract/rate-history';
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

/** How the times along the line are written: by the clock, by the day, by the month. */
export type TickLook = 'time' | 'day' | 'month';

export interface Drawing {
  /** Path of the line, in a box of 1000 by the height. */
  line: string;
  /** What closes it above the ground to an area. */
  ground: string;
  high: { y: number; rate: string };
  low: { y: number; rate: string };
  points: ChartPoint[];
  ticks: { x: number; at: string }[];
  look: TickLook;
}

type Drawn = Pick<RateHistory, 'points' | 'since' | 'until' | 'high' | 'low'>;

/**
 * Null where there is no line: without a point, or with the one rate of a new pair. A pair
 * that is younger than the range has the whole width for the time since it began.
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
/** So many fit side by side on a phone. */
const MOST_TICKS = 4.5;

/** Round times in UTC, oldest first; of most of a year the beginnings of every third month. */
function tickTimes(from: number, to: number): { times: number[]; look: TickLook } {
  const every = STEPS.find((step) => to - from <= step * MOST_TICKS);
  if (every === undefined) return { times: quarters(from), look: 'month' };
  // Days are counted back from the last midnight, so that labels stay where they are all day.
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
