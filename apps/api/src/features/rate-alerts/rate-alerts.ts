/**
 * Rate alerts: an email to a customer when the customer's rate of a pair reaches a target
 * (docs/decisions/0020-rate-alerts.md).
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import { maxRateAlerts, type createRateAlert, type RateAlert } from '@cambist/contract/rate-alerts';
import { compare, parseDecimal, shortest, zero } from '@cambist/money/decimal';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { readPolicy } from '#features/pairs/policy.ts';
import { currentRates, type CurrentRate } from '#features/pairs/public-views.ts';
import { findPair } from '#features/pairs/pairs.ts';
import type { Actor } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal, unauthenticated } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './store.ts';
import type { AlertRow } from './store.ts';

export { deleteAlertsOf, listAlertsForExport } from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;

/** The caller's alerts, the newest first, each with the current rate. */
export async function listOwn(deps: ReadDeps, { id }: Pick<Actor, 'id'>): Promise<RateAlert[]> {
  const alerts = await store.listAlerts(deps.db, id);
  if (alerts.length === 0) return [];
  const user = await store.findUser(deps.db, id);
  const rates = await ratesOf(deps, [...new Set(alerts.map(({ pair_id }) => pair_id))]);
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
  requireConfirmedAddress(await store.findUser(deps.db, actor.id));
  const now = await requireRate(deps, slug);
  if (compare(parseDecimal(target), zero) === 0)
    throw invalid({ target: 'The rate must be more than zero.' });
  requireNotReached(now, direction, target);
  return transaction(deps.db, async (tx) => {
    const user = await store.lockUser(tx, actor.id);
    requireConfirmedAddress(user);
    const key = { user_id: actor.id, pair_id: now.pair.id, direction, target };
    if ((await store.countOthers(tx, key)) >= maxRateAlerts)
      throw invalid({
        target: `You have ${maxRateAlerts} rate alerts, which is the limit. Delete one first.`,
      });
    const alert = await store.upsertAlert(tx, { ...key, id: newId() });
    return view(alert, now, user);
  });
}

/** @throws Refusal 404, also for another user's alert */
export async function remove(
  { db }: Pick<Deps, 'db'>,
  { id: userId }: Actor,
  id: Id,
): Promise<void> {
  if (!(await store.deleteAlert(db, id, userId))) throw notFound();
}

function requireConfirmedAddress(user: store.UserRow | undefined): void {
  if (!user || user.disabled_at) throw unauthenticated();
  if (user.email_verified_at) return;
  throw new Refusal(
    403,
    'email_unverified',
    'Confirm your email address first: follow the link in our email, or ask for another one.',
  );
}

async function requireRate(deps: ReadDeps, slug: string): Promise<CurrentRate> {
  const pair = await findPair(deps.db, { slug });
  if (pair === undefined) throw invalid({ pair: 'There is no such pair.' });
  const now = (await ratesOf(deps, [pair.id])).get(pair.id);
  if (now !== undefined && now.rate !== null) return now;
  throw new Refusal(
    409,
    'pair_unavailable',
    'This direction is paused, so there is no rate to watch. Try again when it is offered.',
  );
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

async function ratesOf(
  deps: ReadDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CurrentRate>> {
  const rates = await currentRates(deps.db, await readPolicy(deps), ids);
  return new Map(rates.map((each) => [each.pair.id, each]));
}

function view(alert: AlertRow, now: CurrentRate, user: store.UserRow | undefined): RateAlert {
  const { id, direction, sent_at, sent_rate, created_at } = alert;
  const { pair, rate, state } = now;
  const paused_by =
    sent_at !== null
      ? null
      : state === 'paused'
        ? 'pair'
        : user?.email_verified_at
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
