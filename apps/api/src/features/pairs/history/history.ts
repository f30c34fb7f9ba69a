/** The history of a pair's mid rate (margins have no public history). A paused pair shows no rates. */
import type { HistoryPoint, HistoryRange, RateHistory } from '@cambist/contract/rate-history';
import { compare, parseDecimal, shortest } from '@cambist/money/decimal';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { readPolicy } from '../policy.ts';
import { customerRates, publicStatus } from '../public-views.ts';
import { statusOf } from '../state.ts';
import { findPair } from '../store.ts';
import { percentChange } from '../terms.ts';
import { listRatesQuery, thinQuery, type HistoryRow, type Span } from './store.ts';

const LENGTHS_MS: Record<HistoryRange, number> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

const STEPS = 200;

/** @throws Refusal 404 for an unknown pair, and where a currency is switched off */
export async function readHistory(
  deps: Pick<Deps, 'db' | 'published'>,
  slug: string,
  range: HistoryRange,
): Promise<RateHistory> {
  const { db } = deps;
  const pair = await findPair(db, { slug });
  if (pair === undefined || !pair.send.active || !pair.receive.active) throw notFound();
  const until = await databaseTime(db);
  const since = new Date(until.getTime() - LENGTHS_MS[range]);
  const status = statusOf(pair, await readPolicy(deps), until);
  const paused = status.state === 'paused';
  return {
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    rate: paused ? null : customerRates(pair).rate,
    range,
    since: since.toISOString(),
    until: until.toISOString(),
    ...(paused ? NOTHING : await movement(deps, { pairId: pair.id, since, until })),
    ...publicStatus(status),
  };
}

type Movement = Pick<RateHistory, 'points' | 'change' | 'high' | 'low' | 'last'>;

const NOTHING: Movement = { points: [], change: null, high: null, low: null, last: null };

async function movement({ db }: Pick<Deps, 'db'>, span: Span): Promise<Movement> {
  const { rows } = await listRatesQuery(span).execute(db);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return NOTHING;
  const byRate = rows.toSorted((a, b) =>
    compare(parseDecimal(a.mid_rate), parseDecimal(b.mid_rate)),
  );
  const [low = first, high = first] = [byRate[0], byRate.at(-1)];
  return {
    points: spread(rows, [first, low, high], span).map(point),
    change: percentChange(parseDecimal(first.mid_rate), parseDecimal(last.mid_rate)),
    high: shortest(high.mid_rate),
    low: shortest(low.mid_rate),
    last: point(last),
  };
}

/** The last rate of each of 200 equal steps, and `extremes`, oldest first. */
function spread(
  rows: readonly HistoryRow[],
  extremes: readonly HistoryRow[],
  { since, until }: Span,
): HistoryRow[] {
  const begin = Math.max(since.getTime(), rows[0]?.in_force_from.getTime() ?? 0);
  const spanMs = until.getTime() - begin;
  const stepOf = ({ in_force_from: at }: HistoryRow) => {
    const scaled = (at.getTime() - begin) * STEPS;
    return (scaled - (scaled % spanMs)) / spanMs;
  };
  const shown = new Set([...new Map(rows.map((row) => [stepOf(row), row])).values(), ...extremes]);
  return rows.filter((row) => shown.has(row));
}

function point({ in_force_from, as_of, mid_rate, source }: HistoryRow): HistoryPoint {
  return {
    at: in_force_from.toISOString(),
    rate: shortest(mid_rate),
    source,
    as_of: as_of.toISOString(),
  };
}

/** Each reads a bounded span, long enough for a service that was down. */
const THINNED = [
  { step: 'hour', lengthMs: HOUR, fromMs: 32 * DAY, untilMs: 2 * DAY },
  { step: 'day', lengthMs: DAY, fromMs: 100 * DAY, untilMs: 30 * DAY },
] as const;

/**
 * The task: the history has everything for two days, then the last rate of each hour for a month,
 * then of each day. Returns the outcome for the task's record.
 */
export async function thinHistory({ db, clock }: Pick<Deps, 'clock' | 'db'>): Promise<string> {
  const now = clock().getTime();
  let count = 0n;
  for (const { step, lengthMs, fromMs, untilMs } of THINNED) {
    const startOf = (time: number) => new Date(time - (time % lengthMs));
    const span = { from: startOf(now - fromMs), until: startOf(now - untilMs) };
    count += (await thinQuery({ ...span, step }).execute(db)).numAffectedRows ?? 0n;
  }
  return `${count} thinned`;
}
