/** Emails to admins about rates in quarantine, in the transaction of their run, and about old rates. */
import type { RateApi } from '@cambist/contract/rate-settings';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { emailAdminsWith } from '#features/auth/users.ts';
import { marketUnits } from '#features/pairs/market-rates.ts';
import type { AcceptedRate } from '#features/rates/market/cross.ts';
import { readMarket } from '#features/rates/market/market.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { agedEmail, questionsEmail, recoveredEmail, type Overdue } from './emails.ts';
import * as quarantine from './quarantine-store.ts';
import * as store from './store.ts';

type PostDeps = Pick<Deps, 'keys' | 'jobs' | 'clock' | 'config'>;

/** A question that was withdrawn and comes again is not emailed again within this time. */
const SAME_QUESTION_MS = DAY;
/** Runs take time and may be late. */
const GRACE_MS = 30 * MINUTE;

/** One email about all open questions that had none. */
export async function emailQuestions(deps: PostDeps, tx: Tx, now: Date): Promise<void> {
  const since = new Date(now.getTime() - SAME_QUESTION_MS);
  const questions = await quarantine.listToEmail(tx, since);
  if (questions.length === 0) return;
  const ids = questions.map(({ id }) => id);
  await quarantine.updateQuarantined(tx, ids, { emailed_at: now });
  await emailAdminsWith(deps, tx, 'money', 'rates-waiting', questionsEmail(questions));
}

const SEVERITY = { live: 0, delayed: 1, stale: 2 } as const;

/** The task: compares the age of the rates with the last email. */
export async function watch(deps: PostDeps & Pick<Deps, 'db' | 'published'>): Promise<string> {
  const settings = await read(deps, 'rate-api');
  const { time_zone: timeZone } = await read(deps, 'general');
  const now = deps.clock();
  return transaction(deps.db, async (tx) => {
    const sent = await store.lockWatch(tx, now);
    const { needed } = await marketUnits(tx);
    const overdue = overdueRates((await readMarket(tx)).rates, needed, settings, now);
    const state = overdue.reduce<keyof typeof SEVERITY>(
      (worst, rate) => (SEVERITY[rate.state] > SEVERITY[worst] ? rate.state : worst),
      'live',
    );
    // An improvement without a recovery gets no email.
    if (state === sent || (state !== 'live' && SEVERITY[state] < SEVERITY[sent])) return state;
    await store.updateWatch(tx, state, now);
    if (state !== 'live') {
      const attempts = (await store.findLastFinished(tx))?.attempts ?? [];
      const aged = { overdue, attempts, limits: settings, timeZone };
      await emailAdminsWith(deps, tx, 'money', `rates-${state}`, agedEmail(state, aged));
    } else if (settings.enabled) {
      // No email when an admin switches the synchronisation off.
      await emailAdminsWith(deps, tx, 'money', 'rates-recovered', recoveredEmail());
    }
    return `${sent} → ${state}`;
  });
}

/** Needed rates that are older than expected. A rate that waits for its provider's turn is not overdue. */
export function overdueRates(
  rates: readonly AcceptedRate[],
  needed: readonly string[],
  settings: RateApi,
  now: Date,
): Overdue[] {
  if (!settings.enabled) return [];
  return rates.flatMap((rate) => {
    const { unit, provider, confirmedAt } = rate;
    const listed = settings.providers.find(({ name }) => name === provider);
    const turnMs = (listed?.cadence_hours ?? 1) * HOUR;
    const ageMs = now.getTime() - confirmedAt.getTime();
    if (!needed.includes(unit) || ageMs <= turnMs + GRACE_MS) return [];
    const state = ageState(rate, settings, now);
    return state === 'live' ? [] : [{ unit, state, confirmedAt }];
  });
}

/** By the time of the last run that confirmed it, and by the provider's own time. */
export function ageState(
  { confirmedAt, freshUntil }: Pick<AcceptedRate, 'confirmedAt' | 'freshUntil'>,
  { delayed_minutes, stale_minutes }: RateApi,
  now: Date,
): 'live' | 'delayed' | 'stale' {
  const ageMs = now.getTime() - confirmedAt.getTime();
  if (ageMs > stale_minutes * MINUTE || now > freshUntil) return 'stale';
  return ageMs > delayed_minutes * MINUTE ? 'delayed' : 'live';
}
