/** Asks one provider now and tells what it said; neither key nor rates are kept. */
import type { RateTest } from '@cambist/contract/rates';
import type { RateProviderName } from '@cambist/contract/rate-settings';
import type { Actor, Origin } from '#kernel/actor.ts';
import { SECOND } from '#kernel/clock.ts';
import { record } from '#features/audit/audit.ts';
import { unitsOfDesk } from '#features/pairs/pairs.ts';
import { ask } from './ask.ts';
import { readKey, type AskDeps } from './asking.ts';
import { providers } from './providers.ts';
import { failureWords, okWords, unaskedWords } from './words.ts';

/** Less than a request may take, so that the answer is ours. */
const PATIENCE_MS = 10 * SECOND;

export async function testProvider(
  deps: AskDeps,
  actor: Actor,
  origin: Origin,
  { name, given }: { readonly name: RateProviderName; readonly given: string | undefined },
): Promise<RateTest> {
  const result = await tryOut(deps, name, given);
  await record(deps.db, {
    actor,
    origin,
    action: 'rates.provider_tested',
    subject_kind: 'rate-provider',
    subject_id: name,
    data: { outcome: result.outcome, key: given === undefined ? 'stored' : 'given' },
  });
  return result;
}

async function tryOut(
  deps: AskDeps,
  name: RateProviderName,
  given: string | undefined,
): Promise<RateTest> {
  const provider = providers[name];
  const { label } = provider;
  const stored = given === undefined ? await readKey(deps, name) : { key: given };
  const nothing = { ok: false, detail: '', duration_ms: 0, rates: 0, as_of: null, missing: [] };
  if ('fault' in stored || (stored.key === null && provider.needsKey)) {
    const detail = 'fault' in stored ? stored.fault : '';
    return { ...nothing, outcome: 'no_key', message: unaskedWords(label, 'no_key', null), detail };
  }
  const { known } = await unitsOfDesk(deps.db);
  const units = [...new Set([...known, ...provider.bases])].toSorted();
  const reading = await ask(provider, {
    key: stored.key,
    units,
    providersUrl: deps.config.rateProvidersUrl,
    timeoutMs: PATIENCE_MS,
  });
  const { durationMs: duration_ms } = reading;
  if (!reading.ok) {
    const { failure: outcome, detail } = reading;
    return { ...nothing, outcome, message: failureWords(label, outcome), detail, duration_ms };
  }
  const had = new Set(reading.rates.flatMap(({ unit, base }) => [unit, base]));
  const oldest = reading.rates.map(({ asOf }) => asOf.getTime()).toSorted((a, b) => a - b)[0];
  return {
    ...nothing,
    ok: true,
    outcome: 'ok',
    message: okWords(label, reading.rates.length),
    duration_ms,
    rates: reading.rates.length,
    as_of: oldest === undefined ? null : new Date(oldest).toISOString(),
    missing: known.filter((unit) => !had.has(unit)),
  };
}
