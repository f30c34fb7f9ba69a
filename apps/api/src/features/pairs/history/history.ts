/**
 * The history of a pair's mid rate (margins have no public history). The public sees no rates of a
 * paused pair; admins do.
 */
import type { HistoryPoint, HistoryRange, RateHistory } from '@cambist/contract/rate-history';
import { compare, parseDecimal, shortest } from '@cambist/money/decimal';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { DAY } from '#kernel/clock.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { readPolicy } from '../policy.ts';
import { customerRates, publicStatus } from '../public-views.ts';
import { statusOf } from '../state.ts';
import { findPair } from '../store.ts';
import { percentChange } from '../terms.ts';
import { readPoints, type HistoryRow } from './store.ts';

const LENGTHS_MS: Record<HistoryRange, number> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

/** @throws Refusal 404 for an unknown pair; to the public also where a currency is switched off */
export async function readHistory(
  deps: Pick<Deps, 'db' | 'published'>,
  slug: string,
  range: HistoryRange,
  reader: 'admin' | 'public' = 'public',
): Promise<RateHistory> {
  const { db } = deps;
  const pair = await findPair(db, { slug });
  if (pair === undefined) throw notFound();
  if (reader === 'public' && !(pair.send.active && pair.receive.active)) throw notFound();
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
    ...(!paused || reader === 'admin'
      ? await movement(deps, { pairId: pair.id, since, until })
      : NOTHING),
    ...publicStatus(status),
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
    change: percentChange(parseDecimal(first.mid_rate), parseDecimal(last.mid_rate)),
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
