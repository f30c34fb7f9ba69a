/**
 * Compares rates with the alerts' targets. An alert is marked as sent in the transaction that
 * enqueues its email, so a crash neither loses nor repeats one.
 */
import { shortest } from '@cambist/money/decimal';
import { enqueueEmail, type Email } from '#features/email/email.ts';
import { readPolicy } from '#features/pairs/policy.ts';
import { currentRates, type CurrentRate } from '#features/pairs/public-views.ts';
import { DAY, HOUR, SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { alertEmail } from './emails.ts';
import * as store from './store.ts';
import type { PairRate, ReachedAlert } from './store.ts';

export type CheckDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>;

/** Small, since another check waits for the end of the transaction. */
const BATCH = 20;
/** The limit of emails per address has reset after this. */
const POSTPONED_SECONDS = HOUR / SECOND;
/** A later email would have an outdated rate. */
const EMAIL_EXPIRY_MS = DAY;

/** Sends an email for each reached alert and returns their number. */
export async function checkAlerts(deps: CheckDeps): Promise<number> {
  let sent = 0;
  for (;;) {
    const batch = await checkBatch(deps);
    sent += batch.sent;
    if (batch.reached < BATCH) return sent;
  }
}

/** Reads the rates anew for each batch, so that every email has the current rate. */
async function checkBatch(deps: CheckDeps): Promise<{ reached: number; sent: number }> {
  const policy = await readPolicy(deps);
  return transaction(deps.db, async (tx) => {
    await store.lockCheck(tx);
    const watched = await currentRates(tx, policy, await store.listWatchedPairs(tx));
    const rates = watched.flatMap(exchangeableRate);
    if (rates.length === 0) return { reached: 0, sent: 0 };
    const reached = await store.lockReached(tx, rates, BATCH);
    const byPair = new Map(watched.map((each) => [each.pair.id, each]));
    const sent: { id: Id; rate: string }[] = [];
    const postponed: Id[] = [];
    for (const alert of reached) {
      const now = byPair.get(alert.pair_id);
      if (now === undefined || now.rate === null) throw new Error('A reached alert has no rate.');
      const email = emailAbout(deps, alert, { ...now, rate: now.rate }, policy.timeZone);
      if (await enqueueEmail(deps, tx, email)) sent.push({ id: alert.id, rate: now.rate });
      else postponed.push(alert.id);
    }
    await store.markSent(tx, sent);
    await store.postpone(tx, postponed, POSTPONED_SECONDS);
    return { reached: reached.length, sent: sent.length };
  });
}

function exchangeableRate({ pair, rate, state }: CurrentRate): PairRate[] {
  if (rate === null || (state !== 'live' && state !== 'delayed')) return [];
  return [{ pair_id: pair.id, rate }];
}

function emailAbout(
  { clock }: Pick<Deps, 'clock'>,
  alert: ReachedAlert,
  { pair, rate }: Pick<CurrentRate, 'pair'> & { readonly rate: string },
  timeZone: string,
): Email {
  const { user_id, direction, email, name, locale } = alert;
  const target = shortest(alert.target);
  return {
    kind: 'rate-alert',
    to: { email, userId: user_id, name, locale, proved: true },
    content: alertEmail({ pair, rate, direction, target, timeZone }),
    expiresAt: new Date(clock().getTime() + EMAIL_EXPIRY_MS),
  };
}
