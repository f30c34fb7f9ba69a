/** The overview of the synchronisation for admins. */
import type {
  AcceptedRate as AcceptedJson,
  RateProviderStatus,
  RatesOverview,
  RatesStatus,
} from '@cambist/contract/rates';
import {
  rateKeyName,
  requestsAMonth,
  type RateApi,
  type RateFailure,
} from '@cambist/contract/rate-settings';
import { shortest } from '@cambist/money/decimal';
import { marketUnits } from '#features/pairs/market-rates.ts';
import type { AcceptedRate } from '#features/rates/market/cross.ts';
import { readMarket } from '#features/rates/market/market.ts';
import { describeSecrets } from '#features/content/settings/secrets.ts';
import { read } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import { nextSlot } from '#platform/jobs/scheduler.ts';
import { missingUnits } from './acceptance.ts';
import { distinctProviders, requestedUnits } from './provider-turns.ts';
import { readKey } from './providers/key.ts';
import { providers } from './providers/list.ts';
import { listOpen } from './quarantine-store.ts';
import { runView } from './runs.ts';
import { BLANK_STATE, breakerState, isSince, nextTurn, pauseUntil, usedIn } from './schedule.ts';
import * as store from './store.ts';
import { ageState, overdueRates } from './watch.ts';

/** The task that runs it. */
export const HOURLY = { name: 'rates-sync', cron: '0 * * * *' } as const;

type ReadDeps = Pick<Deps, 'db' | 'published' | 'clock'>;

export async function overview(deps: ReadDeps & Pick<Deps, 'keys'>): Promise<RatesOverview> {
  const { db } = deps;
  const now = deps.clock();
  const settings = await read(deps, 'rate-api');
  const market = await readMarket(db);
  const last = await store.findLastFinished(db);
  const { known, needed } = await marketUnits(db);
  return {
    enabled: settings.enabled,
    providers: await providerStatuses(deps, settings, known, now),
    rates: market.rates.map((rate) => rateView(rate, settings, now)),
    missing: missingUnits(market, needed),
    quarantine_waiting: (await listOpen(db)).length,
    last_run: last ? runView(last) : null,
    next_slot: nextSlot(HOURLY, now)?.toISOString() ?? now.toISOString(),
  };
}

/** Counts for the console's navigation. */
export async function status(deps: ReadDeps): Promise<RatesStatus> {
  const { db } = deps;
  const settings = await read(deps, 'rate-api');
  const { needed } = await marketUnits(db);
  const overdue = overdueRates((await readMarket(db)).rates, needed, settings, deps.clock());
  return {
    quarantine_waiting: (await listOpen(db)).length,
    delayed: overdue.filter(({ state }) => state === 'delayed').length,
    stale: overdue.filter(({ state }) => state === 'stale').length,
  };
}

async function providerStatuses(
  deps: Pick<Deps, 'db' | 'keys'>,
  settings: RateApi,
  known: readonly string[],
  now: Date,
): Promise<RateProviderStatus[]> {
  const states = await store.listStates(deps.db);
  const secrets = await describeSecrets(deps.db, 'rate-api');
  const units = requestedUnits(known, settings);
  const found: RateProviderStatus[] = [];
  for (const listed of distinctProviders(settings)) {
    const { name } = listed;
    const state = states.get(name) ?? { ...BLANK_STATE, provider: name };
    const secret = secrets.find((each) => each.name === rateKeyName(name));
    const key = await readKey(deps, name);
    const keySetAt = key.setAt;
    const turn = { now, keySetAt, units, cadence: listed.cadence_hours };
    const breaker = breakerState(state, now, keySetAt);
    found.push({
      name,
      label: providers[name].label,
      key: keyState(providers[name].needsKey, key, state),
      key_last_four: secret?.last_four ?? '',
      key_set_at: iso(keySetAt),
      breaker: {
        state: breaker,
        failures: isSince(keySetAt, state.last_fetch_at) ? 0 : state.failures,
        open_until: breaker === 'open' ? iso(state.open_until) : null,
      },
      last_fetch: lastFetch(state, keySetAt),
      retry_at: iso(pauseUntil(state, now, keySetAt)),
      next_turn_at: iso(nextTurn(state, turn)),
      cadence_hours: listed.cadence_hours,
      quota: {
        plan: listed.monthly_quota,
        needed: requestsAMonth(listed.cadence_hours),
        used: usedIn(state, now),
      },
    });
  }
  return found;
}

function keyState(
  needsKey: boolean,
  key: Awaited<ReturnType<typeof readKey>>,
  { key_refused_at }: store.ProviderState,
): RateProviderStatus['key'] {
  if (key.setAt === null) return needsKey ? 'missing' : 'not_needed';
  if ('fault' in key) return 'unreadable';
  return key_refused_at !== null && !isSince(key.setAt, key_refused_at) ? 'refused' : 'set';
}

function lastFetch(
  { last_fetch_at, last_fetch_by, last_outcome, last_message }: store.ProviderState,
  keySetAt: Date | null,
): RateProviderStatus['last_fetch'] {
  if (last_fetch_at === null || last_fetch_by === null || isSince(keySetAt, last_fetch_at))
    return null;
  return {
    at: last_fetch_at.toISOString(),
    by: last_fetch_by,
    outcome: last_outcome as 'ok' | 'unusable' | RateFailure,
    message: last_message,
  };
}

function rateView(rate: AcceptedRate, settings: RateApi, now: Date): AcceptedJson {
  const { unit, base, inverted, provider, asOf, confirmedAt, freshUntil, awaits = [] } = rate;
  return {
    unit,
    base,
    inverted,
    rate: shortest(rate.rate),
    provider,
    as_of: asOf.toISOString(),
    confirmed_at: confirmedAt.toISOString(),
    fresh_until: freshUntil.toISOString(),
    state: ageState(rate, settings, now),
    awaits: [...awaits],
  };
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
