/**
 * The desk's figures. A task rolls up each day, today every five minutes, so that a reading costs the same
 * however many exchanges there are.
 */
import type { Dashboard } from '@cambist/contract/dashboard';
import { formatDecimal, roundDown } from '@cambist/money/decimal';
import type { Actor } from '#kernel/actor.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { read } from '#features/content/settings/settings.ts';
import { listOpenWork } from '#features/exchanges/operator-reads.ts';
import { worth } from '#features/exchanges/quotes/customer-limits.ts';
import { readValuation } from '#features/pairs/valuation.ts';
import * as store from './store.ts';

/** Every day that is missing or younger than two days. Repeating it changes nothing. */
export async function rollUp(deps: Deps, signal?: AbortSignal): Promise<number> {
  const { time_zone: zone } = await read(deps, 'general');
  const valuation = await readValuation(deps);
  const days = await store.listDaysToRollUp(deps.db, zone);
  for (const day of days) {
    signal?.throwIfAborted();
    await transaction(deps.db, async (tx) => {
      // Locks the day against another run.
      await store.upsertFigures(tx, day, zone);
      const margins = await store.listMargins(tx, day, zone);
      await store.replaceAmounts(
        tx,
        day,
        zone,
        margins.map(({ currency_id, minor, ...currency }) => {
          const value = valuation.valueOf(minor, currency);
          const unit = value && valuation.unit;
          return { currency_id, minor, unit, value: value && formatDecimal(value) };
        }),
      );
    });
  }
  return days.length;
}

export async function readDashboard(
  deps: Deps,
  { permissions }: Actor,
  days: number,
): Promise<Dashboard> {
  const { time_zone: zone } = await read(deps, 'general');
  const valuation = await readValuation(deps);
  const figures = await store.listFigures(deps.db, days, zone);
  const amounts = permissions.includes('money')
    ? await store.listAmounts(deps.db, days, zone)
    : null;
  const sum = (day: string, kind: store.DailyAmount['kind']) => {
    const own = amounts?.filter((each) => each.day === day && each.kind === kind);
    return own ? formatDecimal(roundDown(worth(valuation, own), 2)) : null;
  };
  const isUnknown = (each: store.DailyAmount) =>
    (each.value === null || each.reporting_unit !== valuation.unit) &&
    valuation.valueOf(each.send_minor, each) === null;
  return {
    unit: valuation.unit,
    without_rate: [
      ...new Set((amounts ?? []).filter(isUnknown).map(({ unit }) => unit)),
    ].toSorted(),
    days: figures.map((day) => ({
      ...day,
      volume: sum(day.day, 'volume'),
      margin: sum(day.day, 'margin'),
    })),
    as_of: figures.at(-1)?.rolled_up_at.toISOString() ?? null,
    open: await listOpenWork(deps.db),
  };
}
