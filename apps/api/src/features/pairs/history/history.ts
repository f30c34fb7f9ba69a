/**
 * How the mid rate of a pair moved, for anyone. The margin of the past is
 * nobody's business and is not kept, so it is the mid rate that has a history;
 * of a paused pair no rate is told, except to admins.
 */
import type { HistoryPoint, HistoryRange, RateHistory } from '@cambist/contract/rate-history';
import { compare, parseDecimal, shortest } from '@cambist/money/decimal';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { DAY } from '#kernel/clock.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { rates, told } from '../answers.ts';
import { readPoints, type HistoryRow } from './history-store.ts';
import { readPolicy } from '../policy.ts';
import { change } from '../price.ts';
import { standingOf } from '../state.ts';
import { findPair } from '../store.ts';

const LENGTHS_MS: Record<HistoryRange, number> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

/** @throws Refusal 404 for a pair that is none; for anyone also for one of a currency that is switched off. */
export async function readHistory(
  deps: Pick<Deps, 'db' | 'published'>,
  slug: string,
  range: HistoryRange,
  reader: 'admin' | 'anyone' = 'anyone',
): Promise<RateHistory> {
  const { db } = deps;
  const pair = await findPair(db, { slug });
  if (pair === undefined) throw notFound();
  if (reader === 'anyone' && !(pair.send.active && pair.receive.active)) throw notFound();
  const until = await databaseTime(db);
  const since = new Date(until.getTime() - LENGTHS_MS[range]);
  const standing = standingOf(pair, await readPolicy(deps), until);
  const paused = standing.state === 'paused';
  const isTold = !paused || reader === 'admin';
  return {
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    rate: paused ? null : rates(pair).rate,
    range,
    since: since.toISOString(),
    until: until.toISOString(),
    ...(isTold ? await movement(deps, { pairId: pair.id, since, until }) : NOTHING),
    ...told(standing),
  };
}

type Movement = Pick<RateHistory, 'points' | 'change' | 'high' | 'low' | 'last'>;

const NOTHING: Movement = { points: [], change: null, high: null, low: null, last: null };

async function movement(
  { db }: Pick<Deps, 'db'>,
  span: { readonly pairId: string; readonly since: Date; readonly until: Date },
): Promise<Movement> {
  const rows = await readPoints(db, span);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return NOTHING;
  const byRate = rows.toSorted((a, b) =>
    compare(parseDecimal(a.mid_rate), parseDecimal(b.mid_rate)),
  );
  return {
    points: rows.map(point),
    change: change(parseDecimal(first.mid_rate), parseDecimal(last.mid_rate)),
    high: shortest(byRate.at(-1)?.mid_rate ?? last.mid_rate),
    low: shortest(byRate[0]?.mid_rate ?? last.mid_rate),
    last: point(last),
  };
}

function point({ in_force_from, as_of, mid_rate, source }: HistoryRow): HistoryPoint {
  return {
    at: in_force_from.toISOString(),
    rate: shortest(mid_rate),
    source,
    as_of: as_of.toISOString(),
  };
}
