/**
 * Rate alerts: customers with a confirmed address are told by email when the
 * rate of a pair, as they would get it, reaches a figure of theirs.
 * docs/decisions/0020-rate-alerts.md has the why.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  maxRateAlerts,
  type AlertSight,
  type createRateAlert,
  type RateAlert,
} from '@cambist/contract/rate-alerts';
import { compare, multiply, parseDecimal, shortest, zero } from '@cambist/money/decimal';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { findPair, ratesNow, readPolicy, type RateNow } from '#features/pairs/pairs.ts';
import type { Actor } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { readStopToken } from './stop-link.ts';
import * as store from './store.ts';
import type { AlertRow } from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;

const farTimes = parseDecimal('100');

/** A person's own, the newest first, each with the rate of now. */
export async function listOwn(deps: ReadDeps, { id }: Pick<Actor, 'id'>): Promise<RateAlert[]> {
  const alerts = await store.listAlerts(deps.db, id);
  if (alerts.length === 0) return [];
  const person = await store.findPerson(deps.db, id);
  const rates = await ratesOf(deps, [...new Set(alerts.map(({ pair_id }) => pair_id))]);
  return alerts.flatMap((alert) => {
    const now = rates.get(alert.pair_id);
    return now ? [show(alert, now, person)] : [];
  });
}

/**
 * @throws Refusal 403 `email_unverified`; 409 `pair_unavailable`; 422 by field, also when the
 *   rate is there already or the account has as many alerts as it may
 */
export async function create(
  deps: ReadDeps,
  actor: Actor,
  { pair: slug, direction, target, repeats = false }: BodyOf<typeof createRateAlert>,
): Promise<RateAlert> {
  requireProved(await store.findPerson(deps.db, actor.id));
  const now = await requireOffered(deps, slug);
  const line = parseDecimal(target);
  if (compare(line, zero) === 0) throw invalid({ target: 'The rate must be more than zero.' });
  requireNear(now, target);
  requireAhead(now, direction, target);
  return transaction(deps.db, async (tx) => {
    const person = await store.lockPerson(tx, actor.id);
    requireProved(person);
    const key = { user_id: actor.id, pair_id: now.pair.id, direction, target };
    if ((await store.countOthers(tx, key)) >= maxRateAlerts)
      throw invalid({
        target: `You have ${maxRateAlerts} rate alerts, and no more are kept. Delete one first.`,
      });
    const alert = await store.upsertAlert(tx, { ...key, id: newId(), repeats });
    return show(alert, now, person);
  });
}

/** @throws Refusal 404, also for another's */
export async function remove(
  { db }: Pick<Deps, 'db'>,
  { id: userId }: Actor,
  id: Id,
): Promise<void> {
  if (!(await store.deleteAlert(db, id, userId))) throw notFound();
}

/** What an email's link would stop; null where that is done. @throws Refusal 404 */
export async function sightOf(
  deps: Pick<Deps, 'db' | 'keys' | 'published'>,
  token: string,
): Promise<AlertSight> {
  const id = readStopToken(deps.keys, token);
  if (id === null) throw notFound();
  const alert = await store.findAlert(deps.db, id);
  const now = alert && (await ratesOf(deps, [alert.pair_id])).get(alert.pair_id);
  return alert && now ? asked(alert, now) : null;
}

/** Twice is no error: a mailbox may send the same click again. @throws Refusal 404 */
export async function stop({ db, keys }: Pick<Deps, 'db' | 'keys'>, token: string): Promise<void> {
  const id = readStopToken(keys, token);
  if (id === null) throw notFound();
  await store.deleteAlert(db, id, null);
}

/** For the export of an account: what it asked for and was told of. */
export async function everyAlertOf(db: Db, userId: Id) {
  return store.listAlertsForExport(db, userId);
}

/** After the account's row is locked, so that none comes in between. */
export async function forgetAlerts(tx: Tx, userId: Id): Promise<void> {
  await store.deleteAlertsOf(tx, userId);
}

function requireProved(person: store.PersonRow | undefined): void {
  if (!person || person.disabled_at) throw new Refusal(401, 'unauthenticated', 'Unauthenticated.');
  if (person.email_verified_at) return;
  throw new Refusal(
    403,
    'email_unverified',
    'Confirm your e-mail address first: follow the link in our email, or ask for another one.',
  );
}

async function requireOffered(deps: ReadDeps, slug: string): Promise<RateNow> {
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

/** Further away it is a slip of the keyboard: an email would never come, and nobody would see why. */
function requireNear({ pair, rate }: RateNow, target: string): void {
  if (rate === null) return;
  const [now, line] = [parseDecimal(rate), parseDecimal(target)];
  const isFar =
    compare(line, multiply(now, farTimes)) > 0 || compare(multiply(line, farTimes), now) < 0;
  if (!isFar) return;
  const { send, receive } = pair;
  throw invalid({
    target: `This is more than 100 times away from the rate: 1 ${send.unit} gives ${rate} ${receive.unit} now. Look at the figure again.`,
  });
}

/** An email at once about the rate that stands on the page would tell nobody anything. */
function requireAhead({ pair, rate }: RateNow, direction: string, target: string): void {
  if (rate === null) return;
  const side = compare(parseDecimal(rate), parseDecimal(target));
  const reached = direction === 'at_least' ? side >= 0 : side <= 0;
  if (!reached) return;
  const { send, receive } = pair;
  throw invalid({
    target: `It is there already: 1 ${send.unit} gives ${rate} ${receive.unit} now. Name a ${direction === 'at_least' ? 'higher' : 'lower'} rate.`,
  });
}

async function ratesOf(
  deps: ReadDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RateNow>> {
  const rates = await ratesNow(deps.db, await readPolicy(deps), ids);
  return new Map(rates.map((each) => [each.pair.id, each]));
}

function asked({ direction, target, repeats }: AlertRow, { pair }: RateNow) {
  return {
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    direction,
    target: shortest(target),
    repeats,
  };
}

function show(alert: AlertRow, now: RateNow, person: store.PersonRow | undefined): RateAlert {
  const { id, armed, repeats, sent_at, sent_rate, created_at } = alert;
  const done = !armed && !repeats;
  const paused_by =
    now.state === 'paused' ? 'pair' : person?.email_verified_at ? null : ('address' as const);
  return {
    id,
    ...asked(alert, now),
    // What is done cannot pause.
    state: done ? 'sent' : paused_by ? 'paused' : armed ? 'waiting' : 'sent',
    paused_by: done ? null : paused_by,
    rate: now.rate,
    pair_state: now.state,
    sent_at: sent_at?.toISOString() ?? null,
    sent_rate: sent_rate === null ? null : shortest(sent_rate),
    created_at: created_at.toISOString(),
  };
}
