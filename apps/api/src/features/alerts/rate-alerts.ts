/**
 * Rate alerts: an email to a customer when the customer's rate of a pair reaches a target
 * (docs/decisions/0020-rate-alerts.md).
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import { maxRateAlerts, type createRateAlert, type RateAlert } from '@cambist/contract/alerts';
import { compare, parseDecimal, shortest, zero } from '@cambist/money/decimal';
import { requireUser, requireVerified } from '#features/auth/users.ts';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { readPolicy } from '#features/pairs/policy.ts';
import { currentRates, type CurrentRate } from '#features/pairs/public-views.ts';
import { findPair } from '#features/pairs/pairs.ts';
import type { Actor } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { reachedEmail } from './emails.ts';
import { sendDue, type AlertDeps } from './sending.ts';
import * as store from './store.ts';

export { deleteAlertsOf, listAlertsForExport } from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;

/** The caller's alerts, the newest first, each with the current rate. */
export async function listOwn(deps: ReadDeps, { id }: Pick<Actor, 'id'>): Promise<RateAlert[]> {
  const alerts = await store.listRateAlerts(deps.db, id);
  if (alerts.length === 0) return [];
  const user = await requireUser(deps.db, id);
  const pairs = [...new Set(alerts.map(({ pair_id }) => pair_id))];
  const rates = byPair(await currentRates(deps.db, await readPolicy(deps), pairs));
  return alerts.flatMap((alert) => {
    const now = rates.get(alert.pair_id);
    return now ? [view(alert, now, user)] : [];
  });
}

/**
 * @throws Refusal 403 `email_unverified`; 409 `pair_unavailable`; 422 by field, also when the
 *   target is reached already or the account is at its limit
 */
export async function create(
  deps: ReadDeps,
  actor: Actor,
  { pair: slug, direction, target }: BodyOf<typeof createRateAlert>,
): Promise<RateAlert> {
  const policy = await readPolicy(deps);
  return transaction(deps.db, async (tx) => {
    const user = await requireVerified(tx, actor.id, 'lock');
    const pair = await findPair(tx, { slug });
    if (pair === undefined) throw invalid({ pair: 'There is no such pair.' });
    const [now] = await currentRates(tx, policy, [pair.id]);
    if (now === undefined || now.rate === null)
      throw new Refusal(
        409,
        'pair_unavailable',
        'This direction is paused, so there is no rate to watch. Try again when it is offered.',
      );
    if (compare(parseDecimal(target), zero) === 0)
      throw invalid({ target: 'The rate must be more than zero.' });
    requireNotReached(now, direction, target);
    const key = { user_id: actor.id, pair_id: pair.id, direction, target };
    const alert = await store.upsertRateAlert(tx, { ...key, id: newId() });
    if ((await store.countRateAlerts(tx, actor.id)) > maxRateAlerts)
      throw invalid({
        target: `You have ${maxRateAlerts} rate alerts, which is the limit. Delete one first.`,
      });
    return view(alert, now, user);
  });
}

/** @throws Refusal 404, also for another user's alert */
export async function remove(
  { db }: Pick<Deps, 'db'>,
  { id: userId }: Actor,
  id: Id,
): Promise<void> {
  if (!(await store.deleteRateAlert(db, id, userId))) throw notFound();
}

/** Sends an email for each reached alert and returns their number. */
export async function checkRateAlerts(deps: AlertDeps): Promise<number> {
  const policy = await readPolicy(deps);
  return sendDue(deps, 'rate_alerts', async (tx, at, limit) => {
    // Anew for each batch, so that every email has the current rate.
    const watched = await currentRates(tx, policy, await store.listWatchedPairs(tx));
    const rates = watched.flatMap(({ pair, rate, state }) =>
      rate !== null && (state === 'live' || state === 'delayed')
        ? [{ pair_id: pair.id, rate }]
        : [],
    );
    if (rates.length === 0) return [];
    const now = byPair(watched);
    return (await store.lockReached(tx, rates, at, limit)).flatMap((alert) => {
      const { id, user_id: userId, pair_id, rate, direction, email, name, locale } = alert;
      const pair = now.get(pair_id)?.pair;
      if (pair === undefined) return [];
      const target = shortest(alert.target);
      return {
        id,
        email: {
          kind: 'rate-alert',
          to: { email, userId, name, locale, proved: true },
          content: reachedEmail({ pair, rate, direction, target, timeZone: policy.timeZone }),
        },
        end: () => store.markSent(tx, id, rate),
      };
    });
  });
}

/** The customer sees the current rate already. */
function requireNotReached({ pair, rate }: CurrentRate, direction: string, target: string): void {
  if (rate === null) return;
  const side = compare(parseDecimal(rate), parseDecimal(target));
  const reached = direction === 'at_least' ? side >= 0 : side <= 0;
  if (!reached) return;
  const { send, receive } = pair;
  throw invalid({
    target: `The rate is there already: 1 ${send.unit} gives ${rate} ${receive.unit} now. Enter a ${direction === 'at_least' ? 'higher' : 'lower'} rate.`,
  });
}

function byPair(rates: readonly CurrentRate[]): ReadonlyMap<string, CurrentRate> {
  return new Map(rates.map((each) => [each.pair.id, each]));
}

function view(
  alert: store.RateAlertRow,
  now: CurrentRate,
  user: { email_verified_at: Date | null },
): RateAlert {
  const { id, direction, sent_at, sent_rate, created_at } = alert;
  const { pair, rate, state } = now;
  const paused_by =
    sent_at !== null
      ? null
      : state === 'paused'
        ? 'pair'
        : user.email_verified_at
          ? null
          : ('address' as const);
  return {
    id,
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    direction,
    target: shortest(alert.target),
    state: sent_at !== null ? 'sent' : paused_by === null ? 'waiting' : 'paused',
    paused_by,
    rate,
    pair_state: state,
    sent_at: sent_at?.toISOString() ?? null,
    sent_rate: sent_rate === null ? null : shortest(sent_rate),
    created_at: created_at.toISOString(),
  };
}
