/**
 * One run of the synchronisation: insert the run's row (one at a time), fetch from the providers
 * outside of a transaction, then write rates, questions, provider states, mid rates and the run in
 * one transaction.
 */
import type { RateRunOutcome } from '@cambist/contract/rates';
import type { RateApi } from '@cambist/contract/rate-settings';
import { compare, parseDecimal } from '@cambist/money/decimal';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { lastMidRates } from '#features/pairs/pairs.ts';
import { marketUnits } from '#features/pairs/market-rates.ts';
import { marketOf, type Market } from '#features/rates/market/cross.ts';
import { readMarket, readPast, writeRates } from '#features/rates/market/market.ts';
import { listNewest } from '#features/rates/market/store.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { acceptRates, type Acceptance, type Known } from './acceptance.ts';
import {
  fetchFromProviders,
  requestedUnits,
  type FetchDeps,
  type Plan,
  type Turn,
} from './provider-turns.ts';
import { readQuarantine, saveQuestions, updatePairs } from './quarantine.ts';
import * as store from './store.ts';
import { emailQuestions } from './watch.ts';

export type SyncDeps = FetchDeps & Pick<Deps, 'published' | 'log' | 'jobs'>;

export interface RunRequest {
  readonly trigger: 'schedule' | 'admin';
  readonly actorId: Id | null;
  /** Fails the run with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** An admin's run must finish within the time limit of a request. */
const TIMEOUTS = {
  schedule: { runMs: 90 * SECOND, providerMs: 10 * SECOND },
  admin: { runMs: 12 * SECOND, providerMs: 5 * SECOND },
} as const;
/** No run takes this long unless its process died. */
const LOST_AFTER_MS = 5 * MINUTE;

const LOST = 'Its process ended during the run.';
const STOPPED = 'Stopped together with the service.';

class EndedAsLost extends Error {}

/** The finished run; `in_progress` while another one runs, `disabled` where the settings say so. */
export async function synchronise(
  deps: SyncDeps,
  { trigger, actorId, signal = AbortSignal.any([]) }: RunRequest,
): Promise<store.RunRow | 'disabled' | 'in_progress'> {
  const settings = await read(deps, 'rate-api');
  if (!settings.enabled) return 'disabled';
  const id = newId();
  const now = deps.clock();
  const isMine = await transaction(deps.db, async (tx) => {
    await store.endLostRuns(tx, { now, afterMs: LOST_AFTER_MS, reason: LOST });
    return store.insertRun(tx, { id, trigger, actor_id: actorId, started_at: now });
  });
  if (!isMine) return 'in_progress';
  let turns: readonly Turn[] = [];
  try {
    const plan = await planOf(deps.db, settings, now, { trigger, signal });
    turns = await fetchFromProviders(deps, plan);
    signal.throwIfAborted();
    await transaction(deps.db, (tx) => conclude(deps, tx, { id, plan }, turns));
  } catch (error) {
    const reason = signal.aborted ? STOPPED : reasonOf(error);
    const attempts = turns.map(({ attempt }) => attempt);
    await transaction(deps.db, (tx) =>
      store.finishRun(tx, id, { finished_at: deps.clock(), outcome: 'failed', reason, attempts }),
    );
    throw error;
  }
  const run = await store.findRun(deps.db, id);
  if (run === undefined) throw new Error('The finished run is missing.');
  const { outcome, accepted, quarantined, rejected, missing } = run;
  const result = { run: id, outcome, accepted, quarantined, rejected, missing };
  deps.log.info(result, 'Rates were synchronised.');
  return run;
}

/** Without the error's message, which may have internals and is logged. */
function reasonOf(error: unknown): string {
  if (error instanceof EndedAsLost) return LOST;
  const name = error instanceof Error ? error.name : typeof error;
  return `It failed with an internal error (${name}) and stored nothing; see the log.`;
}

async function planOf(
  db: Db,
  settings: RateApi,
  now: Date,
  { trigger, signal }: { trigger: RunRequest['trigger']; signal: AbortSignal },
): Promise<Plan> {
  const { known } = await marketUnits(db);
  return {
    settings,
    units: requestedUnits(known, settings),
    known: await readKnown(db, settings, now),
    isManual: trigger === 'admin',
    signal,
    timeouts: TIMEOUTS[trigger],
  };
}

async function readKnown(db: Db | Tx, limits: RateApi, now: Date): Promise<Known> {
  const { needed } = await marketUnits(db);
  const prices = (await lastMidRates(db)).map(({ from, to, rate, at }) => {
    const times = { asOf: at, confirmedAt: at, freshUntil: at };
    return { unit: to, base: from, rate, inverted: false, provider: '', ...times };
  });
  return {
    now,
    limits,
    needed,
    market: await readMarket(db),
    newest: await listNewest(db),
    dayAgo: await readPast(db, new Date(now.getTime() - DAY)),
    lastPrices: marketOf(prices, now),
    ...(await readQuarantine(db, now)),
  };
}

/** Decides again under the lock, since an admin may have decided a question meanwhile. */
async function conclude(
  deps: SyncDeps,
  tx: Tx,
  { id, plan }: { readonly id: Id; readonly plan: Plan },
  turns: readonly Turn[],
): Promise<void> {
  const { settings } = plan;
  const { now } = plan.known;
  await store.lockRates(tx);
  const known = await readKnown(tx, settings, now);
  const acceptance = acceptRates(
    turns.map(({ answer }) => answer),
    known,
  );
  const { accepted, questions, rejections, missing } = acceptance;
  const isFinished = await store.finishRun(tx, id, {
    finished_at: deps.clock(),
    outcome: outcomeOf(known.market, turns, acceptance),
    attempts: turns.map(({ attempt }) => attempt),
    accepted: accepted.length,
    quarantined: questions.length,
    rejected: rejections.length,
    rejections: [...rejections],
    missing: [...missing],
  });
  if (!isFinished) throw new EndedAsLost('The run exceeded its time and was ended as lost.');
  for (const { answer, change } of turns)
    if (change !== null) await store.upsertState(tx, answer.provider, change);
  const listed = settings.providers.map(({ name }) => name);
  await saveQuestions(tx, acceptance, listed, now);
  await emailQuestions(deps, tx, now);
  await writeRates(tx, accepted);
  await updatePairs(deps, tx);
}

/** Outcomes without a request or a failure. */
const SKIPS: readonly string[] = ['no_key', 'breaker_open', 'cadence', 'retry_later'];

function outcomeOf(
  market: Market,
  turns: readonly Turn[],
  { accepted, questions, missing }: Acceptance,
): RateRunOutcome {
  const attempts = turns.map(({ attempt }) => attempt);
  // No provider was due, which is no failure.
  if (attempts.length > 0 && attempts.every(({ outcome }) => outcome === 'cadence'))
    return 'unchanged';
  if (accepted.length + questions.length === 0)
    return attempts.every(({ outcome }) => SKIPS.includes(outcome)) ? 'skipped' : 'failed';
  const hasFailure = attempts.some(
    ({ outcome, gave_none }) => gave_none || (outcome !== 'ok' && !SKIPS.includes(outcome)),
  );
  if (questions.length > 0 || missing.length > 0 || hasFailure) return 'partial';
  const before = new Map(market.rates.map((rate) => [rate.unit, rate]));
  const isSame = accepted.every(({ unit, base, rate, provider, asOf }) => {
    const last = before.get(unit);
    return (
      last?.provider === provider &&
      last.base === base &&
      last.asOf.getTime() === asOf.getTime() &&
      compare(parseDecimal(last.rate), parseDecimal(rate)) === 0
    );
  });
  return isSame ? 'unchanged' : 'updated';
}
