/**
 * Rates that moved too far wait for an admin's decision, at most one of each unit. The last accepted
 * rate stays in force, and pairs that use it give no new quotes meanwhile.
 */
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import { compare, parseDecimal, shortest } from '@cambist/money/decimal';
import type { By } from '#kernel/actor.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { applyMarketRates } from '#features/pairs/market-rates.ts';
import { exactCross, marketOf, type AcceptedRate } from '#features/rates/market/cross.ts';
import { holdRates, readMarket, writeRates } from '#features/rates/market/market.ts';
import { deletePast } from '#features/rates/market/store.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Acceptance, Known } from './acceptance.ts';
import { feedOf, labelOf } from './providers/list.ts';
import * as store from './quarantine-store.ts';
import { lockRates } from './store.ts';

/** A rejected rate, or a similar one, is not questioned again within this time. */
const REJECTED_MS = DAY;

type DecideDeps = Pick<Deps, 'db' | 'clock' | 'published' | 'jobs'>;

export async function listQuarantine(db: Db): Promise<QuarantinedRate[]> {
  return (await store.listOpen(db)).map(view);
}

export async function readQuarantine(
  db: Db | Tx,
  now: Date,
): Promise<Pick<Known, 'openQuestions' | 'rejectedQuotes'>> {
  const rejected = await store.listRejected(db, new Date(now.getTime() - REJECTED_MS));
  return {
    openQuestions: await store.listOpen(db),
    rejectedQuotes: rejected.map(({ as_of: asOf, ...row }) => ({ ...row, asOf })),
  };
}

/**
 * Stores the questions of a run and withdraws those whose unit has an accepted rate or whose provider
 * is no longer in the settings (`providers`).
 */
export async function saveQuestions(
  tx: Tx,
  { accepted, questions }: Pick<Acceptance, 'accepted' | 'questions'>,
  providers: readonly string[],
  now: Date,
): Promise<void> {
  const market = marketOf(accepted, now);
  const isVoid = ({ unit, base, provider }: store.QuarantineRow) =>
    !questions.some((question) => question.unit === unit) &&
    (!providers.includes(provider) ||
      accepted.some((rate) => rate.unit === unit) ||
      exactCross(market, base, unit) !== null);
  const voided = (await store.listOpen(tx)).filter(isVoid);
  await store.updateQuarantined(
    tx,
    voided.map(({ id }) => id),
    { decision: 'withdrawn', decided_at: now },
  );
  await store.upsertOpen(
    tx,
    questions.map(({ asOf, previous, changePercent, ...question }) => ({
      ...question,
      id: newId(),
      as_of: asOf,
      previous_rate: previous,
      change_percent: changePercent,
      created_at: now,
      seen_at: now,
    })),
  );
}

/** Applies the accepted rates and the open questions to the pairs. */
export async function updatePairs(deps: Pick<Deps, 'published' | 'jobs'>, tx: Tx): Promise<void> {
  await holdRates(tx, await store.listOpen(tx));
  await applyMarketRates(deps, tx, await readMarket(tx));
}

/**
 * @throws Refusal 404; 409 `already_decided`; 409 `rate_changed` when a run has withdrawn the
 *   question or changed its rate
 */
export async function decide(
  deps: DecideDeps,
  by: By,
  { id, decision, rate }: { id: Id; decision: 'accept' | 'reject'; rate: string },
): Promise<void> {
  const settings = await read(deps, 'rate-api');
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    await lockRates(tx);
    const row = await findQuestion(tx, id, rate);
    const isAccepted = decision === 'accept';
    await store.updateQuarantined(tx, [id], {
      decision: isAccepted ? 'accepted' : 'rejected',
      decided_by: by.actor.id,
      decided_at: now,
    });
    if (isAccepted) {
      const feed = settings.providers.find(({ name }) => name === row.provider)?.feed;
      await accept(tx, row, settings.max_age_hours[feed ?? feedOf(row.provider)]);
    }
    await updatePairs(deps, tx);
    const { unit, base, provider, reason, previous_rate, change_percent } = row;
    const figures = { rate: shortest(row.rate), previous_rate, change_percent };
    await record(tx, {
      ...by,
      action: isAccepted ? 'rate.accepted' : 'rate.rejected',
      subject_kind: 'rate',
      subject_id: unit,
      data: { unit, base, provider, reason, ...figures },
    });
  });
}

async function findQuestion(tx: Tx, id: Id, rate: string): Promise<store.QuarantineRow> {
  const row = await store.findQuarantined(tx, id);
  if (row === undefined) throw notFound();
  if (row.decision === 'accepted' || row.decision === 'rejected')
    throw new Refusal(409, 'already_decided', 'This rate has been decided already.');
  if (row.decision !== null || compare(parseDecimal(row.rate), parseDecimal(rate)) !== 0)
    throw rateChanged();
  return row;
}

function rateChanged(): Refusal {
  return new Refusal(
    409,
    'rate_changed',
    'A run has withdrawn this question or changed its rate. Check the page again.',
  );
}

async function accept(tx: Tx, row: store.QuarantineRow, maxAgeHours: number): Promise<void> {
  const { unit, base, rate, inverted, provider, as_of: asOf, seen_at: confirmedAt } = row;
  const freshUntil = new Date(asOf.getTime() + maxAgeHours * HOUR);
  const accepted = { unit, base, rate, inverted, provider, asOf, confirmedAt, freshUntil };
  const { rates } = await readMarket(tx);
  const { redundant } = inPlace(rates, accepted);
  // Newer rates connect the two units already.
  if (redundant.includes(accepted)) throw rateChanged();
  await deletePast(tx, [unit, ...redundant.map((each) => each.unit)]);
  await writeRates(tx, [accepted]);
}

function inPlace(rates: readonly AcceptedRate[], rate: AcceptedRate) {
  return marketOf([...rates.filter(({ unit }) => unit !== rate.unit), rate], rate.confirmedAt);
}

function view(row: store.QuarantineRow): QuarantinedRate {
  return {
    ...row,
    label: labelOf(row.provider),
    rate: shortest(row.rate),
    previous_rate: row.previous_rate && shortest(row.previous_rate),
    change_percent: shortest(row.change_percent),
    as_of: row.as_of.toISOString(),
    created_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
  };
}
