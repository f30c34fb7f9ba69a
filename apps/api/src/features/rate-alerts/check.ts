/**
 * The comparison of rates with what customers wait for. Marking an alert as told
 * and writing its email are one transaction, so a crash loses none and writes
 * none twice; a check that runs again finds nothing left to tell.
 */
import { shortest } from '@cambist/money/decimal';
import { enqueueEmail, type Email } from '#features/email/email.ts';
import { ratesNow, readPolicy, type RateNow } from '#features/pairs/pairs.ts';
import { DAY, HOUR, SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { alertEmail } from './emails.ts';
import * as store from './store.ts';
import type { RateOfPair, Reached } from './store.ts';

export type CheckDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>;

/** Emails of one transaction: few, since who checks meanwhile waits for its end. */
const AT_ONCE = 20;
const QUIET_SECONDS = DAY / SECOND;
/** After this the allowance of emails has begun anew. */
const POSTPONED_SECONDS = HOUR / SECOND;
/** An email that could not be sent for so long tells of a rate of yesterday. */
const USEFUL_MS = DAY;

/** Tells everybody whose line has been reached; answers how many. */
export async function checkAlerts(deps: CheckDeps): Promise<number> {
  let told = 0;
  for (;;) {
    const { reached, written } = await checkSome(deps);
    told += written;
    if (reached < AT_ONCE) return told;
  }
}

/** The rates are read anew for each part, so that none of the emails tells of an older one. */
async function checkSome(deps: CheckDeps): Promise<{ reached: number; written: number }> {
  const policy = await readPolicy(deps);
  return transaction(deps.db, async (tx) => {
    await store.lockCheck(tx);
    const watched = await ratesNow(tx, policy, await store.listWatchedPairs(tx));
    const rates = watched.flatMap(reliable);
    if (rates.length === 0) return { reached: 0, written: 0 };
    await store.rearm(tx, rates);
    const reached = await store.lockReached(tx, rates, AT_ONCE);
    const byPair = new Map(watched.map((each) => [each.pair.id, each]));
    const written: { id: Id; rate: string }[] = [];
    const unwritten: Id[] = [];
    for (const alert of reached) {
      const now = byPair.get(alert.pair_id);
      if (now === undefined || now.rate === null) throw new Error('It was compared with no rate.');
      const letter = letterOf(deps, alert, { ...now, rate: now.rate }, policy.timeZone);
      if (await enqueueEmail(deps, tx, letter)) written.push({ id: alert.id, rate: now.rate });
      else unwritten.push(alert.id);
    }
    await store.markTold(tx, written, QUIET_SECONDS);
    await store.postpone(tx, unwritten, POSTPONED_SECONDS);
    return { reached: reached.length, written: written.length };
  });
}

/** A rate that nobody could exchange at now is told to nobody. */
function reliable({ pair, rate, state }: RateNow): RateOfPair[] {
  if (rate === null || (state !== 'live' && state !== 'delayed')) return [];
  return [{ pair_id: pair.id, rate }];
}

function letterOf(
  { clock }: Pick<Deps, 'clock'>,
  alert: Reached,
  { pair, rate }: Pick<RateNow, 'pair'> & { readonly rate: string },
  timeZone: string,
): Email {
  const { id, user_id, direction, repeats, email, name, locale } = alert;
  const target = shortest(alert.target);
  return {
    kind: 'rate-alert',
    to: { email, userId: user_id, name, locale, proved: true },
    content: alertEmail({ id, pair, rate, direction, target, repeats, timeZone }),
    expiresAt: new Date(clock().getTime() + USEFUL_MS),
  };
}
