/**
 * Changes of a pair by an admin. Each takes the lock of the mid rates first, so that a run neither
 * misses a pair that turns automatic nor overwrites a rate that was just set.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import { pairSettings } from '@cambist/contract/pair-terms';
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
import { readPair } from '../admin-view.ts';
import { insertRates } from '../history/store.ts';
import { enqueueRatesChanged } from '../market-rates.ts';
import { lockMidRates } from '../market-rates-store.ts';
import {
  carriedMidRate,
  freshMarketRate,
  MANUAL,
  manualMidRate,
  marketMidRate,
  noMidRate,
  type MidRate,
} from '../mid-rate.ts';
import { readJumpPercent, readPolicy } from '../policy.ts';
import { staleReason, type RatePolicy } from '../state.ts';
import * as store from '../store.ts';
import type { PairRow, Side } from '../store.ts';
import { blank, readColumns, validateColumns, type Draft } from './columns.ts';
import { rateChange, requireConfirmed, type PriceChange } from './confirmation.ts';
import { priceErrors } from './price-errors.ts';

type WriteDeps = Pick<Deps, 'db' | 'jobs' | 'published'>;

const SLUG_LENGTH = 80;
const UNIQUE_CONSTRAINTS = ['pairs_slug_key', 'pairs_send_currency_id_receive_currency_id_key'];

/** The audited settings of a pair; the times of its mid rate are not settings. */
const AUDITED = ['rate', ...Object.keys(pairSettings)].filter(
  (field) => !['mid_as_of', 'mid_confirmed_at', 'mid_fresh_until'].includes(field),
);

/** @throws Refusal 422 by field; 409 `pair_exists`, `rate_unconfirmed` */
export async function create(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  { confirm_rate, ...draft }: BodyOf<typeof createPair>,
): Promise<Pair> {
  const [policy, jumpPercent] = [await readPolicy(deps), await readJumpPercent(deps)];
  return transaction(deps.db, async (tx) => {
    await lockMidRates(tx);
    const { slug, columns, mid, sides } = await readDraft(tx, draft, 'save');
    const after = { ...blank, ...columns, ...mid, ...sides };
    await confirmRate(tx, { before: null, after, jumpPercent }, confirm_rate);
    const id = newId();
    await store
      .insertPair(tx, {
        ...columns,
        ...mid,
        id,
        slug,
        send_currency_id: sides.send.id,
        receive_currency_id: sides.receive.id,
      })
      .catch((error: unknown) => {
        if (!UNIQUE_CONSTRAINTS.includes(violatedConstraint(error))) throw error;
        throw new Refusal(
          409,
          'pair_exists',
          `There is already a pair from ${sides.send.name} to ${sides.receive.name}.`,
        );
      });
    await addToHistory(tx, id, mid, actor);
    await recordChange(deps, tx, { actor, origin, action: 'pair.created', id }, { slug, ...draft });
    return readPair(tx, slug, policy);
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
    const columns = readColumns(pair, changes);
    const mid = await changedMidRate(tx, pair, columns, policy);
    validateColumns({ ...pair, ...mid }, changes, columns);
    const after = { ...pair, ...columns, ...mid };
    await confirmRate(tx, { before: pair, after, jumpPercent }, confirm_rate);
    const change = { actor, origin, action: 'pair.updated', id: pair.id, policy };
    return savePair(deps, tx, change, pair, columns, mid);
  });
}

/**
 * Makes the pair manual, whatever its mode was.
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
    const mid = await readManualRate(tx, mid_rate, mid_until);
    const after = { ...pair, ...mid };
    refuseIfAny(priceErrors(after));
    await confirmRate(tx, { before: pair, after, jumpPercent }, confirm_rate);
    const columns = { rate_mode: 'manual', formula: null } as const;
    const change = { actor, origin, action: 'pair.rate_set', id: pair.id, policy };
    return savePair(deps, tx, change, pair, columns, mid);
  });
}

/** Under the lock of the mid rates, so that no run changes the market meanwhile. */
async function confirmRate(
  tx: Tx,
  change: Omit<PriceChange, 'market' | 'after'> & { readonly after: PriceChange['after'] & Sides },
  confirmed: string | undefined,
): Promise<void> {
  const market = freshMarketRate(await readMarket(tx), change.after);
  requireConfirmed(rateChange({ ...change, market }), confirmed);
}

/**
 * A complete draft, read and validated. A preview may have a manual rate that has ended.
 * @throws Refusal 422 by field
 */
export async function readDraft(db: Db | Tx, draft: Draft, use: 'save' | 'preview') {
  const { send: sendSlug, receive: receiveSlug, mid_rate, mid_until, ...settings } = draft;
  const sides = await readSides(db, sendSlug, receiveSlug);
  const slug = `${sendSlug}-to-${receiveSlug}`;
  if (slug.length > SLUG_LENGTH)
    throw invalid({ send: 'The slugs of the two currencies are too long together.' });
  const before = { ...blank, ...sides };
  const columns = readColumns(before, settings);
  const mid =
    columns.rate_mode === 'manual'
      ? await readManualRate(db, mid_rate, mid_until, use)
      : await readMarketRate(db, columns.formula, sides, { mid_rate, mid_until });
  validateColumns({ ...before, ...mid }, settings, columns);
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

/** Null where the pair keeps its rate. */
async function changedMidRate(
  tx: Tx,
  pair: PairRow,
  { rate_mode, formula }: Pick<PairRow, 'formula' | 'rate_mode'>,
  policy: RatePolicy,
): Promise<MidRate | null> {
  if (rate_mode === pair.rate_mode && formula === pair.formula) return null;
  if (rate_mode !== 'manual') {
    const mid = await readMarketRate(tx, formula, pair, {});
    if (mid.mid_rate !== null || pair.mid_rate === null) return mid;
    return carriedMidRate(pair, await databaseTime(tx));
  }
  if (pair.mid_rate === null) return noMidRate;
  const now = await databaseTime(tx);
  const why = staleReason(pair, policy, now);
  if (why !== null)
    throw invalid({ rate_mode: `The last rate cannot go on by hand: set a rate. ${why}` });
  return manualMidRate(pair.mid_rate, now, null);
}

interface ManualRate {
  readonly mid_rate?: string | null | undefined;
  readonly mid_until?: string | null | undefined;
}

async function readMarketRate(
  db: Db | Tx,
  formula: string | null,
  { send, receive }: Sides,
  { mid_rate, mid_until }: ManualRate,
): Promise<MidRate> {
  const only = (field: string) => `The ${field} field only goes with a manual rate.`;
  refuseIfAny({
    ...(typeof mid_rate === 'string' ? { mid_rate: only('mid_rate') } : {}),
    ...(typeof mid_until === 'string' ? { mid_until: only('mid_until') } : {}),
  });
  const market = await readMarket(db);
  return marketMidRate({ formula, from: send.unit, to: receive.unit }, market).mid;
}

async function readManualRate(
  db: Db | Tx,
  rate: string | null | undefined,
  until: string | null | undefined,
  use: 'save' | 'preview' = 'save',
): Promise<MidRate> {
  if (typeof rate !== 'string') throw invalid({ mid_rate: 'The mid rate field is required.' });
  const now = await databaseTime(db);
  const end = typeof until === 'string' ? new Date(until) : null;
  // A leap second matches the schema and is no valid Date.
  if (end !== null && Number.isNaN(end.getTime()))
    throw invalid({ mid_until: 'The mid until field must be a time that exists.' });
  if (use === 'save' && end !== null && end <= now)
    throw invalid({ mid_until: 'The mid until field must be in the future.' });
  return manualMidRate(rate, now, end);
}

async function lockVersion(tx: Tx, slug: string, version: number): Promise<PairRow> {
  await lockMidRates(tx);
  const pair = await store.lockPair(tx, slug);
  if (pair === undefined) throw notFound();
  if (pair.version !== version) throw versionConflict();
  return pair;
}

interface Change {
  readonly actor: Actor;
  readonly origin: Origin | null;
  readonly action: string;
  readonly id: string;
}

async function savePair(
  deps: WriteDeps,
  tx: Tx,
  { policy, ...change }: Change & { readonly policy: RatePolicy },
  pair: PairRow,
  columns: Parameters<typeof store.updatePair>[2],
  mid: MidRate | null,
): Promise<Pair> {
  const { id, slug } = pair;
  const before = await readPair(tx, slug, policy);
  await store.updatePair(tx, id, { ...columns, ...mid });
  // A rate that only stays in force is in the history already.
  if (mid && mid.mid_as_of !== pair.mid_as_of) await addToHistory(tx, id, mid, change.actor);
  const after = await readPair(tx, slug, policy);
  const changes = differences(before, after, AUDITED);
  await recordChange(deps, tx, change, { slug, changes });
  return after;
}

async function addToHistory(
  tx: Tx,
  pair_id: string,
  { mid_rate, mid_source }: MidRate,
  actor: Actor,
): Promise<void> {
  if (mid_rate === null) return;
  const set_by = mid_source === MANUAL ? actor.id : null;
  await insertRates(tx, [{ pair_id, mid_rate, source: mid_source ?? MANUAL, set_by }]);
}

async function recordChange(
  deps: WriteDeps,
  tx: Tx,
  { id, ...change }: Change,
  data: Record<string, unknown>,
): Promise<void> {
  await currencies.recordChange(deps, tx, {
    ...change,
    subject_kind: 'pair',
    subject_id: id,
    data,
  });
  await enqueueRatesChanged(deps, tx);
}
