/**
 * Changes of a pair by an admin. Each takes the lock of the mid rates first, so that a run neither
 * misses a pair that turns automatic nor overwrites a rate that was just set.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import { pairSettings } from '@cambist/contract/pair-terms';
import type { createPair, Pair, setPairRate, updatePair } from '@cambist/contract/pairs';
import { differences } from '#features/audit/audit.ts';
import { differenceFacts, emailAdmins } from '#features/auth/admin/admin-emails.ts';
import * as currencies from '#features/currencies/currencies.ts';
import { readMarket } from '#features/rates/market/market.ts';
import type { Actor, By } from '#kernel/actor.ts';
import { refuseIfAny } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { transaction, violatedConstraint, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { requireFresh } from '#platform/http/guards.ts';
import type { Session } from '#platform/security/sessions.ts';
import { readPair } from '../admin-view.ts';
import { insertRates } from '../history/store.ts';
import { enqueueRatesChanged } from '../market-rates.ts';
import { lockMidRates } from '../market-rates-store.ts';
import {
  carriedMidRate,
  freshMarketRate,
  MANUAL,
  manualMidRate,
  noMidRate,
  type MidRate,
} from '../mid-rate.ts';
import { readJumpPercent, readPolicy } from '../policy.ts';
import { staleReason, type RatePolicy } from '../state.ts';
import * as store from '../store.ts';
import type { PairRow } from '../store.ts';
import { blank, readColumns, validateColumns } from './columns.ts';
import { readDraft, readManualRate, readMarketRate, type Sides } from './draft.ts';
import { rateChange, requireConfirmed, type PriceChange } from './confirmation.ts';
import { priceErrors } from './price-errors.ts';

type WriteDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'jobs' | 'keys' | 'published'>;

/** Who changes a pair; a session that is not fresh may change its name and hours, not its price. */
export interface Editor extends By {
  readonly session: Session | null;
}

const UNIQUE_CONSTRAINTS = ['pairs_slug_key', 'pairs_send_currency_id_receive_currency_id_key'];

/** The audited settings of a pair; the times of its mid rate are not settings. */
const AUDITED = ['rate', ...Object.keys(pairSettings)].filter(
  (field) => !['mid_as_of', 'mid_confirmed_at', 'mid_fresh_until'].includes(field),
);

/** The terms of a price, and what an exchange needs: changing one needs a fresh confirmation. */
const TERMS = AUDITED.filter(
  (field) =>
    !['rate', 'mid_rate', 'mid_source', 'mid_until', 'active', 'position', 'hours'].includes(field),
);

/** @throws Refusal 422 by field; 409 `pair_exists`, `rate_unconfirmed`; 403 `confirmation_required` */
export async function create(
  deps: WriteDeps,
  editor: Editor,
  { confirm_rate, ...draft }: BodyOf<typeof createPair>,
): Promise<Pair> {
  const [policy, jumpPercent] = [await readPolicy(deps), await readJumpPercent(deps)];
  return transaction(deps.db, async (tx) => {
    await lockMidRates(tx);
    const { slug, columns, mid, sides } = await readDraft(tx, draft, 'save');
    const after = { ...blank, ...columns, ...mid, ...sides };
    const change = { before: null, after, jumpPercent };
    const isConfirmed = await confirmRate(deps, tx, editor, change, confirm_rate);
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
    const { actor, origin } = editor;
    await addToHistory(tx, id, mid, actor);
    await recordChange(deps, tx, { actor, origin, action: 'pair.created', id }, { slug, ...draft });
    const created = await readPair(tx, slug, policy);
    if (isConfirmed) await emailChange(deps, tx, actor, created, differences({}, created, AUDITED));
    return created;
  });
}

/** @throws Refusal 404; 409 `version_conflict`, `rate_unconfirmed`; 422 by field; 403 `confirmation_required` */
export async function update(
  deps: WriteDeps,
  editor: Editor,
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
    const price = { before: pair, after, jumpPercent };
    const isConfirmed = await confirmRate(deps, tx, editor, price, confirm_rate);
    const change = { editor, action: 'pair.updated', policy, isConfirmed };
    return savePair(deps, tx, change, pair, columns, mid);
  });
}

/**
 * Makes the pair manual, whatever its mode was.
 * @throws Refusal 404; 409 `version_conflict`, `rate_unconfirmed`; 422 on `mid_rate`, `mid_until`
 *   or `rate_digits`; 403 `confirmation_required`
 */
export async function setRate(
  deps: WriteDeps,
  editor: Editor,
  slug: string,
  { version, mid_rate, mid_until, confirm_rate }: BodyOf<typeof setPairRate>,
): Promise<Pair> {
  const [policy, jumpPercent] = [await readPolicy(deps), await readJumpPercent(deps)];
  return transaction(deps.db, async (tx) => {
    const pair = await lockVersion(tx, slug, version);
    const mid = await readManualRate(tx, mid_rate, mid_until);
    const after = { ...pair, ...mid };
    refuseIfAny(priceErrors(after));
    const price = { before: pair, after, jumpPercent };
    const isConfirmed = await confirmRate(deps, tx, editor, price, confirm_rate);
    const columns = { rate_mode: 'manual', formula: null } as const;
    const change = { editor, action: 'pair.rate_set', policy, isConfirmed };
    return savePair(deps, tx, change, pair, columns, mid);
  });
}

/**
 * Whether the rate moved so far that it needed its confirmation. Under the lock of the mid rates, so
 * that no run changes the market meanwhile.
 * @throws Refusal 409 `rate_unconfirmed`; 403 `confirmation_required`
 */
async function confirmRate(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { session }: Editor,
  change: Omit<PriceChange, 'market' | 'after'> & { readonly after: PriceChange['after'] & Sides },
  confirmed: string | undefined,
): Promise<boolean> {
  const market = freshMarketRate(await readMarket(tx), change.after);
  const moved = rateChange({ ...change, market });
  if (moved === null) return false;
  requireConfirmed(moved, confirmed);
  requireFresh(session, clock());
  return true;
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

async function lockVersion(tx: Tx, slug: string, version: number): Promise<PairRow> {
  await lockMidRates(tx);
  const pair = await store.lockPair(tx, slug);
  if (pair === undefined) throw notFound();
  if (pair.version !== version) throw versionConflict();
  return pair;
}

interface Saved {
  readonly editor: Editor;
  readonly action: string;
  readonly policy: RatePolicy;
  /** The rate moved far, and was confirmed. */
  readonly isConfirmed: boolean;
}

async function savePair(
  deps: WriteDeps,
  tx: Tx,
  { editor, action, policy, isConfirmed }: Saved,
  pair: PairRow,
  columns: Parameters<typeof store.updatePair>[2],
  mid: MidRate | null,
): Promise<Pair> {
  const { id, slug } = pair;
  const { actor, origin, session } = editor;
  const before = await readPair(tx, slug, policy);
  await store.updatePair(tx, id, { ...columns, ...mid });
  // A rate that only stays in force is in the history already.
  if (mid && mid.mid_as_of !== pair.mid_as_of) await addToHistory(tx, id, mid, actor);
  const after = await readPair(tx, slug, policy);
  const changes = differences(before, after, AUDITED);
  const hasNewTerms = TERMS.some((field) => field in changes);
  if (hasNewTerms) requireFresh(session, deps.clock());
  await recordChange(deps, tx, { actor, origin, action, id }, { slug, changes });
  if (hasNewTerms || isConfirmed) await emailChange(deps, tx, actor, after, changes);
  return after;
}

function emailChange(
  deps: WriteDeps,
  tx: Tx,
  { name }: Actor,
  { slug, send, receive }: Pair,
  changes: ReturnType<typeof differences>,
): Promise<void> {
  const title = `${send.unit} (${send.channel}) to ${receive.unit} (${receive.channel})`;
  return emailAdmins(deps, tx, 'money', {
    kind: 'pair-changed',
    subject: `The price of ${title} was changed`,
    paragraphs: [`${name} changed the rate or the terms of this pair.`],
    facts: differenceFacts(changes),
    action: { label: 'Open the pair', path: `/admin/pairs/${slug}` },
  });
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
  { id, ...change }: By & { readonly action: string; readonly id: string },
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
