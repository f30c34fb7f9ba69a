/**
 * One run of the synchronisation. Who inserts the run's row may run; the
 * network is asked outside of any transaction; then everything is judged and
 * written in one: believed rates, quarantine, what is known of the providers,
 * the mid rates of all pairs, and the run itself.
 */
import type { RateRunOutcome } from '@cambist/contract/rate-outcomes';
import type { RateApi } from '@cambist/contract/rate-settings';
import { compare, parseDecimal } from '@cambist/money/decimal';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import {
  markDoubts,
  readMarket,
  readNewest,
  readPast,
  writeRates,
  type BelievedRate,
} from '#features/market/market.ts';
import { flow, lastMids, unitsOfDesk, type LastMid } from '#features/pairs/pairs.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { askAll, unitsAskedFor, type Asked, type AskDeps, type Plan } from './asking.ts';
import { judge } from './judge.ts';
import type { Judgement, Law } from './law.ts';
import { givenSince, leftOut } from './left-out.ts';
import { wordsOf } from './opinions.ts';
import { basesOf } from './providers.ts';
import { blankState } from './provider-state.ts';
import { keepJumps, outvoted, waitingRates } from './quarantine.ts';
import { remembered } from './remembered.ts';
import * as store from './store.ts';
import { tellWaiting } from './watch.ts';

export type SyncDeps = AskDeps & Pick<Deps, 'published' | 'log' | 'jobs'>;

export interface RunRequest {
  readonly trigger: 'schedule' | 'admin';
  readonly actorId: Id | null;
  /** Ends the run as failed, which throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** An admin waits for the answer, which must come within the request's own time. */
const PATIENCE = {
  schedule: { runMs: 90 * SECOND, requestMs: 10 * SECOND },
  admin: { runMs: 12 * SECOND, requestMs: 5 * SECOND },
} as const;
/** No run takes so long: its process has ended in the middle of it. */
const LOST_AFTER_MS = 5 * MINUTE;

const LOST = 'Its process ended in the middle of it.';
const STOPPED = 'Stopped, since the service was told to stop.';

class TakenForLost extends Error {}

/** The finished run; `in_progress` while another one runs, `disabled` where none may. */
export async function synchronise(
  deps: SyncDeps,
  { trigger, actorId, signal = AbortSignal.any([]) }: RunRequest,
): Promise<store.RunRow | 'disabled' | 'in_progress'> {
  const settings = await read(deps, 'rate-api');
  if (!settings.enabled) return 'disabled';
  const id = newId();
  const now = deps.clock();
  const mine = await transaction(deps.db, async (tx) => {
    await store.endLostRuns(tx, { now, afterMs: LOST_AFTER_MS, reason: LOST });
    return store.insertRun(tx, { id, trigger, actor_id: actorId, started_at: now });
  });
  if (!mine) return 'in_progress';
  let asked: Asked | null = null;
  try {
    const plan = await planOf(deps.db, settings, now, { trigger, signal });
    const heard = await askAll(deps, plan);
    asked = heard;
    signal.throwIfAborted();
    await transaction(deps.db, (tx) => conclude(deps, tx, { id, plan }, heard));
  } catch (error) {
    const reason = signal.aborted ? STOPPED : reasonOf(error);
    await transaction(deps.db, (tx) =>
      store.finishRun(tx, id, {
        finished_at: deps.clock(),
        outcome: 'failed',
        reason,
        ...(asked && { attempts: [...asked.attempts] }),
      }),
    );
    throw error;
  }
  const run = await store.findRun(deps.db, id);
  if (run === undefined) throw new Error('The run that was just written is gone.');
  const { outcome, accepted, quarantined, refused, missing } = run;
  deps.log.info(
    { run: id, outcome, accepted, quarantined, refused, missing },
    'Rates were synchronised.',
  );
  return run;
}

/** An error's own words may be of tables and addresses: they are for the log. */
function reasonOf(error: unknown): string {
  if (error instanceof TakenForLost) return LOST;
  const name = error instanceof Error ? error.name : 'something that is no error';
  return `It broke off with an error of ours (${name}), and nothing of it was kept; the log tells more.`;
}

async function planOf(
  db: Db,
  settings: RateApi,
  now: Date,
  { trigger, signal }: Required<Pick<RunRequest, 'trigger' | 'signal'>>,
): Promise<Plan> {
  const { known } = await unitsOfDesk(db);
  return {
    settings,
    units: unitsAskedFor(known, settings.providers),
    law: await lawOf(db, settings, now),
    states: await store.listStates(db),
    waiting: await waitingRates(db),
    byHand: trigger === 'admin',
    signal,
    patience: PATIENCE[trigger],
  };
}

async function lawOf(db: Db | Tx, settings: RateApi, now: Date): Promise<Law> {
  const { needed } = await unitsOfDesk(db);
  const daysAgo = (days: number) => readPast(db, new Date(now.getTime() - days * DAY));
  const [twoDaysAgo] = await daysAgo(2);
  return {
    market: await readMarket(db),
    newest: await readNewest(db),
    now,
    dayAgo: await daysAgo(1),
    ...(twoDaysAgo && { twoDaysAgo }),
    limits: settings,
    needed: new Set(needed),
    order: settings.providers.map(({ name }) => name),
    silent: new Set(),
    outvoted: await outvoted(db, now),
    sold: (await lastMids(db)).map(soldAt),
  };
}

function soldAt({ from, to, rate, at }: LastMid): BelievedRate {
  const times = { asOf: at, confirmedAt: at, freshUntil: at };
  return { unit: to, base: from, rate, inverted: false, provider: '', ...times };
}

interface Begun {
  readonly id: Id;
  readonly plan: Plan;
}

/** Judged once more under the lock: an admin may have decided something while we asked. */
async function conclude(
  deps: SyncDeps,
  tx: Tx,
  { id, plan }: Begun,
  { heard, attempts, states, silent, standing }: Asked,
): Promise<void> {
  const { settings } = plan;
  const { now } = plan.law;
  await store.lockRates(tx);
  const law = { ...(await lawOf(tx, settings, now)), silent };
  const judgement = judge(heard, law);
  const { accepted, jumps, refusals } = judgement;
  const gave = await store.listGiven(tx, givenSince(now));
  const missed = leftOut(plan, { heard, attempts }, judgement, gave);
  const unsound = [...refusals, ...judgement.besides];
  const finished = await store.finishRun(tx, id, {
    finished_at: deps.clock(),
    outcome: outcomeOf(law, attempts, judgement),
    attempts: [...attempts],
    accepted: accepted.length,
    quarantined: jumps.length,
    refused: unsound.length,
    refusals: [...unsound, ...missed],
    missing: missingOf(judgement, attempts),
  });
  if (!finished) throw new TakenForLost('The run took so long that it was taken for lost.');
  const kept = await store.lockStates(tx);
  const known = (name: string) => plan.states.get(name) ?? { ...blankState, provider: name };
  await store.upsertStates(
    tx,
    states.map((state) => {
      const before = known(state.provider);
      return remembered(before, state, kept.get(state.provider) ?? before);
    }),
  );
  const words = wordsOf(law, { heard, attempts, before: plan.states });
  await keepJumps(tx, judgement, { standing, words }, now);
  await tellWaiting(deps, tx, settings, now);
  // Also what was refused may have withdrawn a question.
  if (accepted.length + jumps.length + refusals.length === 0) return;
  await writeRates(tx, accepted);
  await markDoubts(tx, await waitingRates(tx));
  await flow(deps, tx, await readMarket(tx));
}

/** Nobody was asked, and nobody failed. */
const UNASKED: readonly string[] = ['no_key', 'breaker_open', 'cadence', 'retry_later'];

function isFailure({ outcome }: Asked['attempts'][number]): boolean {
  return outcome !== 'ok' && outcome !== 'not_due' && !UNASKED.includes(outcome);
}

/** Needed, and nobody gave it; what was given and not believed is told as refused. */
function missingOf(
  { accepted, lacking, refusals, jumps }: Judgement,
  attempts: Asked['attempts'],
): string[] {
  const told = new Set([...refusals, ...jumps].map(({ unit }) => unit));
  // What others are measured in is not missing; where nothing came, it is the primary's base.
  const homes = attempts.filter(
    ({ outcome }, place) => outcome === 'ok' || (place === 0 && accepted.length === 0),
  );
  for (const { provider } of homes) {
    const [home] = basesOf(provider);
    if (home !== undefined) told.add(home);
  }
  return lacking.filter((unit) => !told.has(unit));
}

function outcomeOf(
  { market, needed }: Law,
  attempts: Asked['attempts'],
  judgement: Judgement,
): RateRunOutcome {
  const { accepted, jumps, refusals, lacking } = judgement;
  const outcomes = attempts.map(({ outcome }) => outcome);
  // It is nobody's turn: what is believed stands, and nothing went wrong in this run.
  if (outcomes.length > 0 && outcomes.every((outcome) => outcome === 'cadence')) return 'unchanged';
  if (accepted.length === 0)
    return outcomes.every((outcome) => UNASKED.includes(outcome)) ? 'skipped' : 'failed';
  const refused = refusals.some(({ unit }) => needed.has(unit));
  // Also where a fall-back fills everything in: a provider that fails is no run that went well.
  const hasFailed = attempts.some((attempt) => isFailure(attempt) || attempt.gave_none);
  if (jumps.length > 0 || lacking.length > 0 || refused || hasFailed) return 'partial';
  const before = new Map(market.rates.map((rate) => [rate.unit, rate]));
  const same = accepted.every((rate) => {
    const last = before.get(rate.unit);
    return (
      last?.provider === rate.provider &&
      last.base === rate.base &&
      last.asOf.getTime() === rate.asOf.getTime() &&
      compare(parseDecimal(last.rate), parseDecimal(rate.rate)) === 0
    );
  });
  return same ? 'unchanged' : 'updated';
}
