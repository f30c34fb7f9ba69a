/**
 * Asks one provider now and tells what it said; neither key nor rates are kept,
 * only that it was asked, that it wants to be left alone, or that it works again.
 */
import type { RateTest } from '@cambist/contract/rates';
import {
  freePlans,
  rateFeeds,
  type RateApi,
  type RateFeed,
  type RateProviderName,
} from '@cambist/contract/rate-settings';
import type { Actor, Origin } from '#kernel/actor.ts';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { readNewest } from '#features/market/market.ts';
import { unitsOfDesk } from '#features/pairs/pairs.ts';
import { read } from '#features/content/settings/settings.ts';
import { ask } from './ask.ts';
import type { AskDeps, State } from './asking.ts';
import { sift, type SiftLaw } from './faults.ts';
import { answerTo, type LastAnswer } from './last-answer.ts';
import type { Heard } from './law.ts';
import { readKey } from './provider-key.ts';
import type { GivenRate } from './provider.ts';
import { blankState, monthOf, pauseOf, usedIn } from './provider-state.ts';
import { carriesAny, feedOf, providers } from './providers.ts';
import { quotaOf } from './quota.ts';
import { remembered } from './remembered.ts';
import * as store from './store.ts';
import { tallyOf } from './tally.ts';
import { retryAtOf } from './turn.ts';
import { failureWords, idleWords, testedWords, unaskedWords } from './words.ts';

/** Less than a request may take, so that the answer is ours. */
const PATIENCE_MS = 10 * SECOND;

/** Of a test that was not made, or had no answer. */
const NOTHING = {
  ok: false,
  detail: '',
  duration_ms: 0,
  rates: 0,
  as_of: null,
  fitting_feed: null,
  missing: [],
  lacking: [],
  retry_at: null,
  asked_at: null,
};

type TestDeps = AskDeps & Pick<Deps, 'published'>;

export async function testProvider(
  deps: TestDeps,
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
  deps: TestDeps,
  name: RateProviderName,
  given: string | undefined,
): Promise<RateTest> {
  const provider = providers[name];
  const { label } = provider;
  // Before the key is read: what is said of one that is set meanwhile is not dated after it.
  const now = deps.clock();
  const stored = given === undefined ? await readKey(deps, name) : { key: given, setAt: null };
  const known = await knownOf(deps, name, { now, keySetAt: stored.setAt });
  const { state, quota, pause, fits, limits, feed } = known;
  const nothing = { ...NOTHING, quota };
  if ('fault' in stored || (stored.key === null && provider.needsKey)) {
    const detail = 'fault' in stored ? stored.fault : '';
    const message = unaskedWords(label, 'no_key', { isSet: detail !== '' });
    return { ...nothing, outcome: 'no_key', message, detail };
  }
  // A pause was asked of the stored key's account; what is typed may be another's.
  if (given === undefined && pause !== null) {
    const message = unaskedWords(label, 'retry_later', { until: pause });
    return { ...nothing, outcome: 'retry_later', message, retry_at: pause.toISOString() };
  }
  const { known: onDesk, needed } = await unitsOfDesk(deps.db);
  const units = [...new Set([...onDesk, ...provider.bases])].toSorted();
  const reading = await ask(provider, {
    key: stored.key,
    units,
    providersUrl: deps.config.rateProvidersUrl,
    timeoutMs: PATIENCE_MS,
  });
  const { durationMs: duration_ms } = reading;
  // What somebody typed is asked and forgotten.
  const asked = { asked_at: given === undefined ? now.toISOString() : null };
  if (reading.ok || reading.network !== 'unsent')
    await store.countRequest(deps.db, name, monthOf(now));
  if (!reading.ok) {
    const { failure: outcome, detail } = reading;
    const retryAt = retryAtOf(reading.retryAfter, now);
    if (given === undefined) {
      const answer = answerTo('test', now, { failure: outcome });
      await keep(deps.db, state, { ...answer, retry_at: retryAt });
    }
    const message = failureWords(label, outcome);
    const retry_at = retryAt?.toISOString() ?? null;
    return { ...nothing, outcome, message, detail, duration_ms, retry_at, ...asked };
  }
  const had = new Set(reading.rates.flatMap(({ unit, base }) => [unit, base]));
  const heard = { provider: name, label, feed, rates: reading.rates, heardAt: now };
  const law = { limits, newest: await readNewest(deps.db), now };
  if (given === undefined) {
    const { unusable } = tallyOf(law, heard, units);
    const answer = answerTo('test', now, { unusable });
    await keep(deps.db, state, { ...answer, retry_at: null });
  }
  const missing = onDesk.filter((unit) => !had.has(unit) && !provider.bases.includes(unit));
  const oldest = oldestOf(reading.rates);
  return {
    ...nothing,
    ...believable(law, heard, units),
    ...asked,
    outcome: 'ok',
    duration_ms,
    rates: reading.rates.length,
    as_of: oldest === undefined ? null : new Date(oldest).toISOString(),
    fitting_feed: oldest === undefined ? null : fits(oldest, reading.nextUpdateAt),
    missing,
    lacking: missing.filter((unit) => needed.includes(unit)),
  };
}

/** `state`: as it was when the asking began. */
async function keep(
  db: Db,
  state: State,
  said: LastAnswer & Pick<State, 'retry_at'>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const kept = (await store.lockStates(tx)).get(state.provider) ?? state;
    await store.upsertStates(tx, [remembered(state, { ...state, ...said }, kept)]);
  });
}

/** The provider's own time of its oldest figure, in milliseconds; undefined where none can be read. */
function oldestOf(rates: readonly GivenRate[]): number | undefined {
  const times = rates.map(({ asOf }) => asOf.getTime()).filter(Number.isFinite);
  return times.toSorted((a, b) => a - b)[0];
}

/** A key that works helps nobody while no run would believe what it brings. */
function believable(
  law: SiftLaw,
  heard: Heard,
  asked: readonly string[],
): Pick<RateTest, 'ok' | 'message'> {
  if (!carriesAny(heard.provider, asked)) return { ok: false, message: idleWords(heard.label) };
  const { sound, faults } = sift(law, heard);
  const unsound = faults.map(({ given }) => given);
  const reason = faults[0]?.fault.message ?? '';
  const message = testedWords(heard.label, sound.rates, unsound, reason);
  return { ok: sound.rates.length > 0, message };
}

/** What the settings and earlier answers say of it. */
async function knownOf(
  deps: TestDeps,
  name: RateProviderName,
  { now, keySetAt }: { readonly now: Date; readonly keySetAt: Date | null },
) {
  const limits = await read(deps, 'rate-api');
  const { providers: listed, max_age_hours: hours } = limits;
  const entry = listed.find((each) => each.name === name);
  const kept = (await store.listStates(deps.db)).get(name) ?? blankState;
  const state: State = { ...kept, provider: name };
  return {
    state,
    limits,
    feed: entry?.feed ?? feedOf(name),
    quota: entry === undefined ? null : quotaOf(entry, usedIn(state, now)),
    pause: pauseOf(state, now, keySetAt),
    fits: (at: number, next: Date | null) =>
      entry === undefined ? null : fittingFeed(entry, hours, { now, at, next }),
  };
}

/**
 * Which feed its figures fit, where they are older than the one of the settings allows, or will be
 * before the next ones come; null where that one fits.
 */
function fittingFeed(
  { name, feed }: RateApi['providers'][number],
  hours: RateApi['max_age_hours'],
  { now, at, next }: { readonly now: Date; readonly at: number; readonly next: Date | null },
): RateFeed | null {
  const ageMs = Math.max(now.getTime(), next?.getTime() ?? 0) - at;
  const isEnough = (each: RateFeed) => ageMs <= hours[each] * HOUR;
  if (isEnough(feed)) return null;
  return [freePlans[name].feed, ...rateFeeds].find(isEnough) ?? null;
}
