/** States and outcomes of the synchronisation in words, with the tone of their tags. */
import type { RateFeed } from '@cambist/contract/rate-settings';
import type { AttemptOutcome, RateRunOutcome } from '@cambist/contract/rate-outcomes';
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import type {
  BelievedRate,
  RateAttempt,
  RateProviderNote,
  RateTest,
} from '@cambist/contract/rates';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

interface Told {
  readonly tone: Tone;
  readonly word: () => string;
}

export const feedWords: Readonly<Record<RateFeed, () => string>> = {
  hourly: m.sync_feed_hourly,
  daily: m.sync_feed_daily,
  central_bank: m.sync_feed_central_bank,
};

export const keyStates: Readonly<Record<RateProviderNote['key'], Told>> = {
  set: { tone: 'done', word: m.sync_key_set },
  missing: { tone: 'waiting', word: m.sync_key_missing },
  refused: { tone: 'refused', word: m.sync_key_refused },
  unreadable: { tone: 'refused', word: m.sync_key_unreadable },
  not_needed: { tone: 'neutral', word: m.sync_key_not_needed },
};

export const believedStates: Readonly<Record<BelievedRate['state'], Told>> = {
  live: { tone: 'done', word: m.sync_state_live },
  delayed: { tone: 'waiting', word: m.sync_state_delayed },
  stale: { tone: 'refused', word: m.sync_state_stale },
};

export const runOutcomes: Readonly<Record<RateRunOutcome, Told>> = {
  updated: { tone: 'done', word: m.sync_run_updated },
  partial: { tone: 'waiting', word: m.sync_run_partial },
  unchanged: { tone: 'neutral', word: m.sync_run_unchanged },
  failed: { tone: 'refused', word: m.sync_run_failed },
  skipped: { tone: 'neutral', word: m.sync_run_skipped },
};

const attemptOutcomes: Readonly<Record<AttemptOutcome, Told>> = {
  ok: { tone: 'done', word: m.sync_attempt_ok },
  not_due: { tone: 'neutral', word: m.sync_attempt_not_due },
  breaker_open: { tone: 'waiting', word: m.sync_attempt_breaker_open },
  no_key: { tone: 'waiting', word: m.sync_attempt_no_key },
  cadence: { tone: 'neutral', word: m.sync_attempt_cadence },
  retry_later: { tone: 'waiting', word: m.sync_attempt_retry_later },
  out_of_time: { tone: 'waiting', word: m.sync_attempt_out_of_time },
  invalid_key: { tone: 'refused', word: m.sync_attempt_invalid_key },
  quota_exceeded: { tone: 'refused', word: m.sync_attempt_quota_exceeded },
  plan_restricted: { tone: 'refused', word: m.sync_attempt_plan_restricted },
  unsupported_currency: { tone: 'refused', word: m.sync_attempt_unsupported_currency },
  rate_limited: { tone: 'refused', word: m.sync_attempt_rate_limited },
  unavailable: { tone: 'refused', word: m.sync_attempt_unavailable },
  malformed: { tone: 'refused', word: m.sync_attempt_malformed },
};

/** Who gave no sound rate of what it was asked for has not done it. */
export function attemptTold({
  outcome,
  gave_none,
}: Pick<RateAttempt, 'outcome' | 'gave_none'>): Told {
  if (gave_none) return { tone: 'waiting', word: m.sync_attempt_none };
  return attemptOutcomes[outcome];
}

/** Who has decided on a rate before, and how; where no word of theirs stands, only that somebody has. */
export function alreadyDecided(
  rate: Pick<QuarantinedRate, 'decided_by' | 'decision'> | undefined,
): string {
  if (!rate?.decided_by) return m.sync_already_decided();
  const name = rate.decided_by;
  if (rate.decision === 'accepted') return m.sync_already_accepted({ name });
  if (rate.decision === 'refused') return m.sync_already_refused({ name });
  return m.sync_already_decided();
}

/** Why they cannot be refused at once: as they are decided by now, as far as that can be read. */
export function noneRefused(
  rates: readonly Pick<QuarantinedRate, 'decided_by' | 'decision'>[],
): string {
  const [name, ...others] = new Set(
    rates.map(({ decided_by, decision }) => (decision === 'refused' ? decided_by : null)),
  );
  return name && others.length === 0
    ? m.sync_refuse_all_already({ name })
    : m.sync_refuse_all_decided();
}

/** How a test that is remembered came out. */
export function testWords(
  outcome: NonNullable<RateProviderNote['last_answer']>['outcome'],
): string {
  if (outcome === 'ok') return m.sync_last_test_ok();
  return outcome === 'unusable' ? m.sync_answer_unusable() : m.sync_last_test_failed();
}

/** Whether something later than the answer to this test is known: then it is not what stands. */
export function isOutdated(
  { asked_at }: Pick<RateTest, 'asked_at'>,
  { last_answer }: Pick<RateProviderNote, 'last_answer'>,
): boolean {
  return asked_at !== null && last_answer !== null && last_answer.at > asked_at;
}

/**
 * What a test has said and the page has not read yet, or what nobody remembers, as where the key
 * could not be used: null where the provider's own state tells it.
 */
export function unreadTest(
  test: RateTest | null,
  { last_answer }: Pick<RateProviderNote, 'last_answer'>,
): RateTest['outcome'] | null {
  if (test === null || test.ok) return null;
  const isRead = test.asked_at !== null && test.asked_at === last_answer?.at;
  // What asks for no rate is no last answer without a sound one.
  return isRead && last_answer?.outcome !== 'ok' ? null : test.outcome;
}

/** What becomes of it next, and whether that is what one hopes for; `tested` as `unreadTest` has it. */
export function nextTold(
  provider: Pick<RateProviderNote, 'key' | 'breaker' | 'retry_at' | 'failing' | 'unusable'>,
  tested: RateTest['outcome'] | null,
): { readonly words: string; readonly tone: 'danger' | 'waiting' | 'done' } {
  const { key, breaker, retry_at, failing, unusable } = provider;
  const { state, failures: count } = breaker;
  const waiting = (words: string) => ({ words, tone: 'waiting' }) as const;
  if (key === 'missing') return waiting(m.sync_breaker_no_key());
  if (key === 'unreadable') return waiting(m.sync_breaker_no_use());
  if (state === 'open') return { words: m.sync_breaker_open({ count }), tone: 'danger' };
  if (retry_at !== null) return waiting(m.sync_pause());
  if (state === 'half_open') return waiting(m.sync_breaker_half_open({ count }));
  if (key === 'refused') return waiting(m.sync_breaker_key_refused());
  if (tested === 'invalid_key') return waiting(m.sync_breaker_key_refused());
  if (tested === 'no_key') return waiting(m.sync_breaker_no_use());
  if (count > 0) return waiting(m.sync_breaker_failing({ count }));
  if (tested === 'ok') return waiting(m.sync_breaker_test_unusable());
  if (tested !== null) return waiting(m.sync_breaker_test_failed());
  if (failing) return waiting(m.sync_breaker_failed());
  if (unusable !== null) return waiting(m.sync_breaker_unusable());
  return { words: m.sync_breaker_closed(), tone: 'done' };
}

/** As a button has room for; one more takes no more room than the words for it. */
const NAMED_UNITS = 3;

/** Which they are, by the first: of a unit no two wait. */
export function firstUnits(rates: readonly Pick<QuarantinedRate, 'unit'>[]): string {
  const units = rates.map(({ unit }) => unit);
  return someOf(units, NAMED_UNITS);
}

/** How many are named where more stand elsewhere: about two lines of a phone. */
export const MOST_NAMED = 12;

/** At most so many by name, and one more, with the count of the others. */
export function someOf(units: readonly string[], most: number): string {
  const more = units.length - most;
  if (more <= 1) return units.join(', ');
  return m.sync_units_and_more({ units: units.slice(0, most).join(', '), more });
}

/** Those that the same run brought last, where they are several: they may be refused at once. */
export function sameRun(waiting: readonly QuarantinedRate[]): QuarantinedRate[][] {
  return Object.values(Object.groupBy(waiting, ({ seen_at }) => seen_at)).flatMap((rates) =>
    rates !== undefined && rates.length > 1 ? [rates] : [],
  );
}
