/** Tests a provider's key by a fetch; only the outcome is stored. */
import type { RateTest } from '@cambist/contract/rates';
import type { RateProviderName } from '@cambist/contract/rate-settings';
import type { By } from '#kernel/actor.ts';
import { SECOND } from '#kernel/clock.ts';
import { record } from '#features/audit/audit.ts';
import { marketUnits } from '#features/pairs/market-rates.ts';
import { listNewest } from '#features/rates/market/store.ts';
import { read } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';
import { tallyOf, requestedUnits, type FetchDeps } from './provider-turns.ts';
import { countOf, fetchRates } from './providers/fetch.ts';
import { readKey } from './providers/key.ts';
import { feedOf, providers } from './providers/list.ts';
import { BLANK_STATE, monthOf, pauseUntil, retryAtOf } from './schedule.ts';
import { countRequests, listStates, upsertState, type StateChange } from './store.ts';
import { failureMessage, skipMessage } from './words.ts';

/** Less than the time limit of a request to the API. */
const TIMEOUT_MS = 10 * SECOND;

type TestDeps = FetchDeps & Pick<Deps, 'published'>;

/** `given`: a key to test instead of the stored one. */
export async function testProvider(
  deps: TestDeps,
  by: By,
  { name, given }: { readonly name: RateProviderName; readonly given: string | undefined },
): Promise<RateTest> {
  const result = await test(deps, name, given);
  await record(deps.db, {
    ...by,
    action: 'rates.provider_tested',
    subject_kind: 'rate-provider',
    subject_id: name,
    data: { outcome: result.outcome, key: given === undefined ? 'stored' : 'given' },
  });
  return result;
}

async function test(
  deps: TestDeps,
  name: RateProviderName,
  given: string | undefined,
): Promise<RateTest> {
  const provider = providers[name];
  const { label } = provider;
  const now = deps.clock();
  const stored = given === undefined ? await readKey(deps, name) : { key: given, setAt: null };
  if ('fault' in stored || (stored.key === null && provider.needsKey)) {
    const detail = 'fault' in stored ? stored.fault : '';
    return { ok: false, outcome: 'no_key', message: skipMessage(label, 'no_key'), detail };
  }
  const state = (await listStates(deps.db)).get(name) ?? { ...BLANK_STATE, provider: name };
  const pause = pauseUntil(state, now, stored.setAt);
  // The pause belongs to the stored key's account.
  if (given === undefined && pause !== null) {
    const message = skipMessage(label, 'retry_later', pause);
    return { ok: false, outcome: 'retry_later', message, detail: '' };
  }
  const { result, change } = await fetchOnce(deps, name, stored.key, now);
  if (given === undefined)
    await upsertState(deps.db, name, { last_fetch_at: now, last_fetch_by: 'test', ...change });
  return result;
}

/** The result, and the change of the provider's state for a stored key. */
async function fetchOnce(
  deps: TestDeps,
  name: RateProviderName,
  key: string | null,
  now: Date,
): Promise<{ readonly result: RateTest; readonly change: StateChange }> {
  const { label, bases } = providers[name];
  const settings = await read(deps, 'rate-api');
  const { known } = await marketUnits(deps.db);
  const units = requestedUnits([...known, ...bases], settings);
  const providersUrl = deps.config.rateProvidersUrl;
  const options = { key, units, providersUrl, timeoutMs: TIMEOUT_MS };
  const reading = await fetchRates(providers[name], options);
  await countRequests(deps.db, name, monthOf(now), countOf(reading));
  if (!reading.ok) {
    const { failure: outcome, detail } = reading;
    const message = failureMessage(label, outcome);
    const refused = outcome === 'invalid_key' && { key_refused_at: now };
    return {
      result: { ok: false, outcome, message, detail },
      change: {
        last_outcome: outcome,
        last_message: message,
        retry_at: retryAtOf(reading.retryAfter, now),
        ...refused,
      },
    };
  }
  const feed = settings.providers.find((each) => each.name === name)?.feed ?? feedOf(name);
  const answer = { provider: name, label, feed, quotes: reading.rates, earlierRates: [] };
  const limits = { limits: settings, newest: await listNewest(deps.db), now };
  const { outcome, message, rates } = tallyOf(answer, limits, units);
  const healed = outcome === 'ok' && { failures: 0, open_until: null };
  return {
    // Not ok where the provider has none of the desk's units.
    result: { ok: rates > 0, outcome: 'ok', message, detail: '' },
    change: {
      last_outcome: outcome,
      last_message: message,
      retry_at: null,
      key_refused_at: null,
      ...healed,
    },
  };
}
