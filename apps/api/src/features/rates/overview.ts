/** What an admin sees of the synchronisation at a glance. */
import type {
  BelievedRate as BelievedNote,
  RateProviderNote,
  RatesOverview,
} from '@cambist/contract/rates';
import type { RatesStanding } from '@cambist/contract/rates-standing';
import {
  rateKeyName,
  type RateApi,
  type RateFailure,
  type RateProviderName,
} from '@cambist/contract/rate-settings';
import { readKey } from './provider-key.ts';
import { shortest } from '@cambist/money/decimal';
import { MINUTE } from '#kernel/clock.ts';
import {
  findPath,
  readMarket,
  withWaiting,
  type BelievedRate,
  type Market,
} from '#features/market/market.ts';
import { unitsOfDesk } from '#features/pairs/pairs.ts';
import { describeSecrets, read } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import { nextSlot } from '#platform/scheduler.ts';
import { distinct, unitsAskedFor } from './asking.ts';
import { wordsOfThen } from './attempt.ts';
import { breakerState, hasNewKey } from './breaker.ts';
import { filledIn } from './filled-in.ts';
import { lackingOf } from './lacking.ts';
import { lastAnswer } from './last-answer.ts';
import { givenSince } from './left-out.ts';
import { ageState, overdueOf } from './overdue.ts';
import { blankState, isFailing, pauseOf, usedIn } from './provider-state.ts';
import { basesOf, providers } from './providers.ts';
import { waitingRates, wordsSince } from './quarantine.ts';
import { listRefused, listWaiting } from './quarantine-store.ts';
import { quotaOf } from './quota.ts';
import { HOURLY, presentRun } from './runs.ts';
import * as store from './store.ts';
import { nothingNewUntil, turnAt } from './sparing.ts';
import { failureWords } from './words.ts';

export async function overview(
  deps: Pick<Deps, 'db' | 'published' | 'clock' | 'keys'>,
): Promise<RatesOverview> {
  const { db } = deps;
  const now = deps.clock();
  const settings = await read(deps, 'rate-api');
  const market = await readMarket(db);
  const last = await store.findLastFinished(db);
  const waiting = await listWaiting(db);
  const refused = await listRefused(db, wordsSince(now));
  const { known, needed } = await unitsOfDesk(db);
  const told = {
    market,
    last,
    waiting,
    refused,
    filled: last ? filledIn(market, last, await store.listGiven(db, givenSince(now)), now) : null,
  };
  return {
    enabled: settings.enabled,
    providers: await providerNotes(deps, settings, { known, market, now }),
    rates: market.rates.map((rate) => believedNote(rate, settings, now, told)),
    // What waits was given: an admin's word is what it lacks.
    missing: lackingOf(withWaiting(market), needed),
    quarantine_waiting: waiting.length,
    last_run: last ? presentRun(last) : null,
    next_slot: nextSlot(HOURLY, now)?.toISOString() ?? now.toISOString(),
    server_time: now.toISOString(),
  };
}

/** What waits for an admin, for the console's navigation. */
export async function standing(
  deps: Pick<Deps, 'db' | 'published' | 'clock'>,
): Promise<RatesStanding> {
  const { db } = deps;
  const settings = await read(deps, 'rate-api');
  const { needed } = await unitsOfDesk(db);
  const now = deps.clock();
  const overdue = overdueOf((await readMarket(db)).rates, needed, settings, now);
  const count = (state: string) => overdue.filter((rate) => rate.state === state).length;
  return {
    quarantine_waiting: (await listWaiting(db)).length,
    delayed: count('delayed'),
    stale: count('stale'),
  };
}

async function providerNotes(
  deps: Pick<Deps, 'db' | 'keys'>,
  settings: RateApi,
  { known, market, now }: { known: readonly string[]; market: Market; now: Date },
): Promise<RateProviderNote[]> {
  const { db } = deps;
  const listed = settings.providers;
  const waiting = await waitingRates(db);
  const desk = { units: unitsAskedFor(known, listed), market, listed, waiting };
  const states = await store.listStates(db);
  const secrets = new Map((await describeSecrets(db, 'rate-api')).map((each) => [each.name, each]));
  const unreadable = await unreadableKeys(deps, settings);
  return distinct(listed).map((entry) => {
    const { name, feed, cadence_hours: cadence, monthly_quota: plan } = entry;
    const { label, needsKey } = providers[name];
    const state = states.get(name) ?? { ...blankState, provider: name };
    const secret = secrets.get(rateKeyName(name));
    const keySetAt = secret === undefined ? null : new Date(secret.updated_at);
    const breaker = breakerState(state, now, keySetAt);
    const failing = isFailing(state, keySetAt);
    const failure = hasNewKey(state.last_failure_at, keySetAt)
      ? null
      : (state.last_failure as RateFailure | null);
    const used = usedIn(state, now);
    return {
      name,
      label,
      feed,
      key: keyState({
        needsKey,
        isSet: secret !== undefined,
        unreadable: unreadable.has(name),
        refused: state.refused_at !== null && !hasNewKey(state.refused_at, keySetAt),
      }),
      key_last_four: secret?.last_four ?? '',
      key_set_at: iso(keySetAt),
      breaker: {
        state: breaker,
        failures: hasNewKey(state.last_failure_at, keySetAt) ? 0 : state.failures,
        open_until: breaker === 'open' ? iso(state.open_until) : null,
      },
      last_success_at: iso(state.last_success_at),
      last_answer: lastAnswer(state, label, keySetAt),
      unusable: hasNewKey(state.answer_at, keySetAt) ? null : state.unusable,
      failing,
      // An answer to a run or a test, or a new key, has taken the reason back; the time alone would not say why.
      last_failure_at: failure && iso(state.last_failure_at),
      last_failure: failure && { code: failure, message: failureWords(label, failure) },
      next_update_at: iso(nothingNewUntil(desk, state, keySetAt, now)),
      retry_at: iso(pauseOf(state, now, keySetAt)),
      next_turn_at: iso(turnAt(desk, state, { keySetAt, rule: { cadence, plan } }, now)),
      quota: quotaOf(entry, used),
    };
  });
}

async function unreadableKeys(
  deps: Pick<Deps, 'db' | 'keys'>,
  { providers: listed }: RateApi,
): Promise<Set<RateProviderName>> {
  const found = new Set<RateProviderName>();
  for (const { name } of listed) if ('fault' in (await readKey(deps, name))) found.add(name);
  return found;
}

function keyState(key: {
  needsKey: boolean;
  isSet: boolean;
  unreadable: boolean;
  refused: boolean;
}) {
  if (!key.isSet) return key.needsKey ? 'missing' : 'not_needed';
  if (key.unreadable) return 'unreadable';
  return key.refused ? 'refused' : 'set';
}

function believedNote(rate: BelievedRate, settings: RateApi, now: Date, told: Told): BelievedNote {
  const { unit, base, inverted, asOf, confirmedAt, freshUntil } = rate;
  const ageMs = now.getTime() - confirmedAt.getTime();
  return {
    unit,
    base,
    inverted,
    rate: shortest(rate.rate),
    provider: rate.provider,
    as_of: asOf.toISOString(),
    confirmed_at: confirmedAt.toISOString(),
    fresh_until: freshUntil.toISOString(),
    age_minutes: Math.max(0, (ageMs - (ageMs % MINUTE)) / MINUTE),
    state: ageState(rate, settings, now),
    awaits: [...(rate.awaits ?? [])],
    note: noteOf(rate, told),
  };
}

/** What became of the rates that came: the latest run, and what was put aside. */
interface Told {
  readonly market: Market;
  readonly last: store.RunRow | undefined;
  readonly waiting: readonly { readonly unit: string }[];
  readonly refused: Awaited<ReturnType<typeof listRefused>>;
  /** By the unit of the rate that stands in its place: what became of an earlier provider's. */
  readonly filled: ReadonlyMap<string, string> | null;
}

/** Why the latest run left it as it was, or took it instead of another. */
function noteOf(
  { unit, provider, confirmedAt }: BelievedRate,
  { market, last, waiting, refused, filled }: Told,
): string | null {
  if (last === undefined) return null;
  if (confirmedAt >= last.started_at) return filled?.get(unit) ?? null;
  if (waiting.some((each) => each.unit === unit))
    return 'The rate that came is not believed without you; it waits for your decision.';
  const ofUnit = last.refusals.filter((each) => each.unit === unit);
  const leftOut = ofUnit.filter((each) => each.reason === 'left_out' && each.provider !== provider);
  const refusals = ofUnit.filter((each) => !leftOut.includes(each));
  const open = refusals.filter((each) => !isDecided(market, each));
  // What its own provider gave says more than what stands in the way of another's.
  const given = open.find((each) => each.provider === provider && each.reason !== 'left_out');
  if (refusals.length > 0) return (given ?? open[0])?.message ?? null;
  if (last.reason !== null) return last.reason;
  // The word of its own provider is the one that is missed.
  const own = last.attempts.find((attempt) => attempt.provider === provider);
  const told = own ?? last.attempts.find(isFailed);
  if (told && isFailed(told))
    return [wordsOfThen(told, last.started_at), ...leftOut.map(({ message }) => message)].join(' ');
  const isRefused = refused.some(
    (no) => no.unit === unit && no.decided_at !== null && no.decided_at > confirmedAt,
  );
  if (isRefused) return 'An admin refused the rate that came; this one stands.';
  // That others do not have it either says least.
  return leftOut[0]?.message ?? 'No provider gave it in the latest run.';
}

/** Whether what it waited for has had its yes or no since: the next run judges it anew. */
function isDecided(
  market: Market,
  { unit, provider, reason }: store.RunRow['refusals'][number],
): boolean {
  if (reason !== 'base_waits') return false;
  const between = basesOf(provider).flatMap((base) => findPath(market, base, unit) ?? []);
  return between.every(({ rate }) => (rate.awaits ?? []).length === 0);
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

function isFailed({ outcome }: store.RunRow['attempts'][number]): boolean {
  return outcome !== 'ok' && outcome !== 'not_due';
}
