/**
 * Rates that moved too far: they wait for an admin's yes or no, at most one of
 * each unit, while the last good rate stands. A later run that brings a rate
 * which is no jump withdraws the question.
 */
import type { QuarantinedRate } from '@cambist/contract/rates';
import type { RateProviderName } from '@cambist/contract/rate-settings';
import { compare, formatDecimal, parseDecimal, trimZeros } from '@cambist/money/decimal';
import type { Actor, Origin } from '#kernel/actor.ts';
import { HOUR } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { keepQuestions, readMarket, writeRates } from '#features/market/market.ts';
import { flow } from '#features/pairs/pairs.ts';
import { read } from '#features/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Judgement, Law } from './judge.ts';
import { providers } from './providers.ts';
import * as store from './quarantine-store.ts';
import { lockRates } from './store.ts';

const SHOWN = 100;

export async function listQuarantine(db: Db): Promise<QuarantinedRate[]> {
  return (await store.listQuarantine(db, SHOWN)).map(present);
}

/** What waits, as its provider gave it. */
export async function waitingRates(db: Db) {
  const rows = await store.listWaiting(db);
  return rows.map(({ unit, base, rate, inverted, provider, as_of }) => ({
    unit,
    base,
    inverted,
    provider,
    rate: short(rate),
    asOf: as_of,
  }));
}

export async function lastRefused(db: Db | Tx): Promise<Law['refused']> {
  const rows = await store.listRefused(db);
  return new Map(
    rows.map(({ unit, provider, rate, as_of }) => [unit, { provider, rate, asOf: as_of }]),
  );
}

/** Puts a run's jumps aside, and withdraws what the run has answered itself. */
export async function keepJumps(
  tx: Tx,
  { jumps, accepted }: Pick<Judgement, 'jumps' | 'accepted'>,
  now: Date,
): Promise<void> {
  const waiting = new Map((await store.listWaiting(tx)).map((row) => [row.unit, row.id]));
  for (const { asOf, previous, changePercent, seenAt, ...jump } of jumps) {
    const seen = {
      ...jump,
      as_of: asOf,
      previous_rate: previous,
      change_percent: changePercent,
      seen_at: seenAt,
    };
    const id = waiting.get(jump.unit);
    await (id === undefined
      ? store.insertQuarantined(tx, { ...seen, id: newId(), created_at: now })
      : store.updateQuarantined(tx, id, seen));
  }
  await store.withdraw(
    tx,
    accepted.map(({ unit }) => unit),
    now,
  );
}

/** Whoever changes rates or what waits calls it before the rates flow: nobody is quoted in doubt. */
export async function markDoubts(tx: Tx): Promise<void> {
  await keepQuestions(tx, await store.listWaiting(tx));
}

type DecideDeps = Pick<Deps, 'db' | 'clock' | 'published' | 'jobs'>;

/**
 * @throws Refusal 404; 409 `already_decided`; 409 `rate_changed` when a run has brought another
 *   rate since; 409 `rate_outdated` when something newer is believed by now
 */
export async function decide(
  deps: DecideDeps,
  actor: Actor,
  origin: Origin,
  { id, decision, rate }: { id: Id; decision: 'accept' | 'refuse'; rate: string },
): Promise<QuarantinedRate> {
  const settings = await read(deps, 'rate-api');
  const now = deps.clock();
  return transaction(deps.db, async (tx) => {
    await lockRates(tx);
    const row = await store.findQuarantined(tx, id);
    if (row === undefined) throw notFound();
    if (row.decision !== null)
      throw new Refusal(409, 'already_decided', 'This rate has been decided on already.');
    if (compare(parseDecimal(row.rate), parseDecimal(rate)) !== 0)
      throw new Refusal(
        409,
        'rate_changed',
        'A run has brought another rate since. Look again, then decide.',
      );
    const accepted = decision === 'accept';
    await store.updateQuarantined(tx, id, {
      decision: accepted ? 'accepted' : 'refused',
      decided_by: actor.id,
      decided_at: now,
    });
    if (accepted) {
      const feed = settings.providers.find(({ name }) => name === row.provider)?.feed;
      const { freePlan } = providers[row.provider as RateProviderName];
      await believe(tx, row, settings.max_age_hours[feed ?? freePlan.feed]);
    }
    await markDoubts(tx);
    await flow(deps, tx, await readMarket(tx));
    const { unit, base, provider, previous_rate, change_percent } = row;
    await record(tx, {
      actor,
      origin,
      action: accepted ? 'rate.accepted' : 'rate.refused',
      subject_kind: 'rate',
      subject_id: unit,
      data: { unit, base, rate: short(row.rate), provider, previous_rate, change_percent },
    });
    const decided = await store.findQuarantined(tx, id);
    if (decided === undefined) throw notFound();
    return present(decided);
  });
}

async function believe(tx: Tx, row: store.QuarantineRow, maxHours: number): Promise<void> {
  const { unit, base, rate, inverted, provider, as_of, seen_at } = row;
  const last = (await readMarket(tx)).rates.find((each) => each.unit === unit);
  if (last !== undefined && last.confirmedAt > seen_at)
    throw new Refusal(409, 'rate_outdated', 'A newer rate is believed by now.');
  await writeRates(tx, [
    {
      unit,
      base,
      rate,
      inverted,
      provider,
      asOf: as_of,
      confirmedAt: seen_at,
      freshUntil: new Date(as_of.getTime() + maxHours * HOUR),
    },
  ]);
}

function present(row: store.QuarantineRow): QuarantinedRate {
  const { decider, as_of, created_at, seen_at, decided_at, ...rest } = row;
  const provider = row.provider as RateProviderName;
  return {
    ...rest,
    provider,
    label: providers[provider].label,
    rate: short(row.rate),
    previous_rate: short(row.previous_rate),
    change_percent: short(row.change_percent),
    as_of: as_of.toISOString(),
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    decided_by: decider,
    decided_at: decided_at?.toISOString() ?? null,
  };
}

function short(decimal: string): string {
  return formatDecimal(trimZeros(parseDecimal(decimal)));
}
