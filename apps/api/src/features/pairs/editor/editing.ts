/**
 * What an editor does to a pair. Each change takes the lock of the flow first,
 * so that no rate of the market passes by unseen while a pair turns automatic,
 * and none overwrites what has just been set by hand.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import { keptPair } from '@cambist/contract/pair-terms';
import type { createPair, Pair, setPairRate, updatePair } from '@cambist/contract/pairs';
import { differences } from '#features/audit/audit.ts';
import * as currencies from '#features/currencies/currencies.ts';
import { readMarket } from '#features/rates/market/market.ts';
import type { Actor, Origin } from '#kernel/actor.ts';
import { refuseIfAny } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { transaction, violatedConstraint, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { blank, judgeFigures, readFigures, type Draft } from '../figures.ts';
import { lockFlow } from '../flow-store.ts';
import { rateChange, requireConfirmed, type Asking } from './guard.ts';
import { freshCross, keptMid, MANUAL, manualMid, marketMid, noMid, type Mid } from '../mid.ts';
import { readJumpPercent, readPolicy } from '../policy.ts';
import { priceErrors } from './price-errors.ts';
import { tellRatesMoved } from '../rates-moved.ts';
import { insertRates } from '../history/past-store.ts';
import { show } from '../shown.ts';
import { staleReason, type RatePolicy } from '../state.ts';
import * as store from '../store.ts';
import type { PairRow, Side } from '../store.ts';

type WriteDeps = Pick<Deps, 'db' | 'jobs' | 'published'>;

const SLUG_LENGTH = 80;
const TAKEN = ['pairs_slug_key', 'pairs_send_currency_id_receive_currency_id_key'];

/** @throws Refusal 422 by field; 409 `pair_exists`, `rate_unconfirmed` */
export async function create(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  { confirm_rate, ...draft }: BodyOf<typeof createPair>,
): Promise<Pair> {
  const [policy, jumpPercent] = [await readPolicy(deps), await readJumpPercent(deps)];
  return transaction(deps.db, async (tx) => {
    await lockFlow(tx);
    const { slug, columns, mid, sides } = await readDraft(tx, draft, 'saved');
    const after = { ...blank, ...columns, ...mid, ...sides, active: draft.active };
    await guard(tx, { before: null, after, jumpPercent }, confirm_rate);
    const id = newId();
    await store
      .insertPair(tx, {
        ...columns,
        ...mid,
        id,
        slug,
        send_currency_id: sides.send.id,
        receive_currency_id: sides.receive.id,
        rate_digits: draft.rate_digits,
      })
      .catch((error: unknown) => {
        if (!TAKEN.includes(violatedConstraint(error))) throw error;
        throw new Refusal(
          409,
          'pair_exists',
          `There is already a pair from ${sides.send.name} to ${sides.receive.name}.`,
        );
      });
    await remember(tx, id, mid, actor);
    await recordChange(deps, tx, { actor, origin, action: 'pair.created', id }, { slug, ...draft });
    return show(tx, slug, policy);
  });
}

/** @throws Refusal 404; 409 `version_conflict`, `rate_unconfirmed`; 422 by field */
export async function update(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  slug: string,
  { version, confirm_rate, ...changes }: BodyOf<typeof updatePair>,
): Promise<Pair> {
  const [policy, jumpPercent] = [await readPolicy(deps), await readJumpPercent(deps)];
  return transaction(deps.db, async (tx) => {
    const pair = await lockVersion(tx, slug, version);
    const columns = readFigures(pair, changes);
    const mid = await midAfter(tx, pair, columns, policy);
    judgeFigures({ ...pair, ...mid }, changes, columns);
    const after = { ...pair, ...columns, ...mid };
    await guard(tx, { before: pair, after, jumpPercent }, confirm_rate);
    const before = await show(tx, slug, policy);
    await store.updatePair(tx, pair.id, { ...columns, ...mid });
    // A rate that only goes on is in the history already.
    if (mid && mid.mid_as_of !== pair.mid_as_of) await remember(tx, pair.id, mid, actor);
    const now = await show(tx, slug, policy);
    const data = { slug, changes: differences(before, now, TOLD) };
    await recordChange(deps, tx, { actor, origin, action: 'pair.updated', id: pair.id }, data);
    return now;
  });
}

/**
 * From now on the rate is the admin's, whatever the mode was.
 * @throws Refusal 404; 409 `version_conflict`, `rate_unconfirmed`; 422 on `mid_rate`, `mid_until`
 *   or `rate_digits`
 */
export async function setRate(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  slug: string,
  { version, mid_rate, mid_until, confirm_rate }: BodyOf<typeof setPairRate>,
): Promise<Pair> {
  const [policy, jumpPercent] = [await readPolicy(deps), await readJumpPercent(deps)];
  return transaction(deps.db, async (tx) => {
    const pair = await lockVersion(tx, slug, version);
    const mid = await readManual(tx, mid_rate, mid_until);
    const after = { ...pair, ...mid };
    refuseIfAny(priceErrors(after));
    await guard(tx, { before: pair, after, jumpPercent }, confirm_rate);
    const before = await show(tx, slug, policy);
    await store.updatePair(tx, pair.id, { ...mid, rate_mode: 'manual', formula: null });
    await remember(tx, pair.id, mid, actor);
    const now = await show(tx, slug, policy);
    const data = { slug, changes: differences(before, now, TOLD) };
    await recordChange(deps, tx, { actor, origin, action: 'pair.rate_set', id: pair.id }, data);
    return now;
  });
}

/** All that an editor can change of a pair, with the rate that comes of it; not the times of the mid rate. */
const TOLD = ['rate', ...Object.keys(keptPair)].filter(
  (field) => !['mid_as_of', 'mid_confirmed_at', 'mid_fresh_until'].includes(field),
);

/** Under the lock of the flow: no run changes what is judged here. */
async function guard(
  tx: Tx,
  asking: Omit<Asking, 'market' | 'after'> & { readonly after: Asking['after'] & Sides },
  confirmed: string | undefined,
): Promise<void> {
  const market = freshCross(await readMarket(tx), asking.after);
  requireConfirmed(rateChange({ ...asking, market }), confirmed);
}

/**
 * A whole draft, judged as it would be saved; a manual rate that has ended is let through where it
 * is only to be `shown`.
 * @throws Refusal 422 by field
 */
export async function readDraft(db: Db | Tx, draft: Draft, use: 'saved' | 'shown') {
  const { send: sendSlug, receive: receiveSlug, mid_rate, mid_until, ...figures } = draft;
  const sides = await readSides(db, sendSlug, receiveSlug);
  const slug = `${sendSlug}-to-${receiveSlug}`;
  if (slug.length > SLUG_LENGTH)
    throw invalid({ send: 'The slugs of the two currencies are too long together.' });
  const before = { ...blank, ...sides };
  const columns = readFigures(before, figures);
  const mid =
    columns.rate_mode === 'manual'
      ? await readManual(db, mid_rate, mid_until, use)
      : await fromMarket(db, columns.formula, sides, { mid_rate, mid_until });
  judgeFigures({ ...before, ...mid }, figures, columns);
  return { slug, sides, columns, mid };
}

interface Sides {
  readonly send: Side;
  readonly receive: Side;
}

async function readSides(db: Db | Tx, sendSlug: string, receiveSlug: string) {
  const send = await store.findSide(db, sendSlug);
  if (!send) throw invalid({ send: 'The send currency does not exist.' });
  const receive = await store.findSide(db, receiveSlug);
  if (!receive) throw invalid({ receive: 'The receive currency does not exist.' });
  if (send.id === receive.id) throw invalid({ receive: 'The two currencies must differ.' });
  return { send, receive };
}

/** Null: the pair keeps the rate that it has. */
async function midAfter(
  tx: Tx,
  pair: PairRow,
  { rate_mode, formula }: Pick<PairRow, 'formula' | 'rate_mode'>,
  policy: RatePolicy,
): Promise<Mid | null> {
  if (rate_mode === pair.rate_mode && formula === pair.formula) return null;
  if (rate_mode !== 'manual') {
    const mid = await fromMarket(tx, formula, pair, {});
    if (mid.mid_rate !== null || pair.mid_rate === null) return mid;
    return keptMid(pair, await databaseTime(tx));
  }
  if (pair.mid_rate === null) return noMid;
  const now = await databaseTime(tx);
  const why = staleReason(pair, policy, now);
  if (why !== null)
    throw invalid({ rate_mode: `The last rate cannot go on by hand: set a rate. ${why}` });
  // The last rate of the market goes on as the admin's own, as of now.
  return manualMid(pair.mid_rate, now, null);
}

interface Manual {
  readonly mid_rate?: string | null | undefined;
  readonly mid_until?: string | null | undefined;
}

/** What the market says now; nothing where it says nothing, which pauses a pair without a rate. */
async function fromMarket(
  db: Db | Tx,
  formula: string | null,
  { send, receive }: Sides,
  { mid_rate, mid_until }: Manual,
): Promise<Mid> {
  const only = (field: string) => `The ${field} field only goes with a manual rate.`;
  refuseIfAny({
    ...(typeof mid_rate === 'string' ? { mid_rate: only('mid_rate') } : {}),
    ...(typeof mid_until === 'string' ? { mid_until: only('mid_until') } : {}),
  });
  const market = await readMarket(db);
  return marketMid({ formula, from: send.unit, to: receive.unit }, market).mid;
}

async function readManual(
  db: Db | Tx,
  rate: string | null | undefined,
  until: string | null | undefined,
  use: 'saved' | 'shown' = 'saved',
): Promise<Mid> {
  if (typeof rate !== 'string') throw invalid({ mid_rate: 'The mid rate field is required.' });
  const now = await databaseTime(db);
  const end = typeof until === 'string' ? new Date(until) : null;
  // A leap second has the shape of a time and no place in the calendar of dates.
  if (end !== null && Number.isNaN(end.getTime()))
    throw invalid({ mid_until: 'The mid until field must be a time that exists.' });
  if (use === 'saved' && end !== null && end <= now)
    throw invalid({ mid_until: 'The mid until field must be in the future.' });
  return manualMid(rate, now, end);
}

async function lockVersion(tx: Tx, slug: string, version: number): Promise<PairRow> {
  await lockFlow(tx);
  const pair = await store.lockPair(tx, slug);
  if (pair === undefined) throw notFound();
  if (pair.version !== version) throw versionConflict();
  return pair;
}

/** Into the history, as of when it came into force here; the provider's time may be before the last rate's. */
async function remember(
  tx: Tx,
  pair_id: string,
  { mid_rate, mid_source }: Mid,
  actor: Actor,
): Promise<void> {
  if (mid_rate === null) return;
  const set_by = mid_source === MANUAL ? actor.id : null;
  await insertRates(tx, [{ pair_id, mid_rate, source: mid_source ?? MANUAL, set_by }]);
}

async function recordChange(
  deps: WriteDeps,
  tx: Tx,
  {
    actor,
    origin,
    action,
    id,
  }: { actor: Actor; origin: Origin | null; action: string; id: string },
  data: Record<string, unknown>,
): Promise<void> {
  const change = { actor, origin, action, subject_kind: 'pair', subject_id: id, data } as const;
  await currencies.recordChange(deps, tx, change);
  await tellRatesMoved(deps, tx);
}
