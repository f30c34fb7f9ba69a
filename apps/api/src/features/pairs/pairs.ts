/**
 * Pairs: directions between two currencies, each with its price, limits and
 * times. An exchange freezes the figures it was made with, so changing a pair
 * concerns only what comes after.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type {
  createPair as createEndpoint,
  Pair,
  updatePair as updateEndpoint,
} from '@cambist/contract/pairs';
import * as currencies from '#features/currencies/currencies.ts';
import type { Actor, Origin } from '#kernel/actor.ts';
import { refuseIfAny, tryAmount, type FieldErrors } from '#kernel/amount-field.ts';
import { newId } from '#kernel/id.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { transaction, violatedConstraint, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isOpen, present } from './answers.ts';
import { priceErrors, type Limited } from './price.ts';
import * as store from './store.ts';
import type { PairRow } from './store.ts';

export { isOpen } from './answers.ts';
export { flow, unitsOfDesk } from './flow.ts';
export { sendLimits, terms } from './price.ts';
export { findPair, type PairRow } from './store.ts';

type Draft = BodyOf<typeof createEndpoint>;
type Changes = Omit<BodyOf<typeof updateEndpoint>, 'version'>;
type WriteDeps = Pick<Deps, 'db' | 'published'>;

/** Where a rate comes from that an admin set. */
const MANUAL = 'manual';
const SLUG_LENGTH = 80;
const TAKEN = ['pairs_slug_key', 'pairs_send_currency_id_receive_currency_id_key'];

/** The pair, unchanged until the transaction ends; several may hold it so. */
export function lockPair(tx: Tx, slug: string): Promise<PairRow | undefined> {
  return store.lockPair(tx, slug, 'share');
}

export async function list(db: Db): Promise<Pair[]> {
  return (await store.listPairs(db)).map(present);
}

/** @throws Refusal 404 */
export async function get(db: Db | Tx, slug: string): Promise<Pair> {
  const pair = await store.findPair(db, { slug });
  if (pair === undefined) throw notFound();
  return present(pair);
}

/**
 * The fields and the evidence that the desk will ask for.
 * @throws Refusal 404; 409 `pair_unavailable` while it is switched off
 */
export async function requirements(db: Db, slug: string) {
  const pair = await store.findPair(db, { slug });
  if (pair === undefined) throw notFound();
  if (!isOpen(pair)) {
    throw new Refusal(409, 'pair_unavailable', 'This direction is not available at the moment.');
  }
  return {
    sender_fields: pair.send.sender_fields,
    payout_fields: pair.receive.payout_fields,
    evidence: pair.evidence,
    pay_minutes: pair.pay_minutes,
    payout_time: pair.receive.payout_time,
  };
}

/** @throws Refusal 422 by field; 409 `pair_exists` */
export async function create(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  draft: Draft,
): Promise<Pair> {
  const [send, receive] = [
    await currencies.findCurrency(deps.db, draft.send),
    await currencies.findCurrency(deps.db, draft.receive),
  ];
  if (!send) throw invalid({ send: 'The send currency does not exist.' });
  if (!receive) throw invalid({ receive: 'The receive currency does not exist.' });
  if (send.id === receive.id) throw invalid({ receive: 'The two currencies must differ.' });
  const slug = `${send.slug}-to-${receive.slug}`;
  if (slug.length > SLUG_LENGTH)
    throw invalid({ send: 'The slugs of the two currencies are too long together.' });

  const sides = { send, receive };
  const { send: _send, receive: _receive, mid_rate, ...figures } = draft;
  const row = { ...readFigures({ ...blank, mid_rate, ...sides }, figures), mid_rate };
  return transaction(deps.db, async (tx) => {
    const id = newId();
    await store
      .insertPair(tx, {
        ...row,
        id,
        slug,
        send_currency_id: send.id,
        receive_currency_id: receive.id,
        rate_digits: draft.rate_digits,
        mid_source: MANUAL,
      })
      .catch((error: unknown) => {
        if (!TAKEN.includes(violatedConstraint(error))) throw error;
        throw new Refusal(
          409,
          'pair_exists',
          `There is already a pair from ${send.name} to ${receive.name}.`,
        );
      });
    await store.insertRates(tx, [{ pair_id: id, mid_rate, source: MANUAL, set_by: actor.id }]);
    await currencies.recordChange(deps, tx, {
      actor,
      origin,
      action: 'pair.created',
      subject_kind: 'pair',
      subject_id: id,
      data: { slug, ...draft },
    });
    return get(tx, slug);
  });
}

/** @throws Refusal 404; 409 `version_conflict`; 422 by field */
export function update(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  slug: string,
  { version, ...changes }: BodyOf<typeof updateEndpoint>,
): Promise<Pair> {
  return transaction(deps.db, async (tx) => {
    const pair = await lockVersion(tx, slug, version);
    await store.updatePair(tx, pair.id, readFigures(pair, changes));
    await currencies.recordChange(deps, tx, {
      actor,
      origin,
      action: 'pair.updated',
      subject_kind: 'pair',
      subject_id: pair.id,
      data: { slug, ...changes },
    });
    return get(tx, slug);
  });
}

/** @throws Refusal 404; 409 `version_conflict`; 422 on `mid_rate` or `rate_digits` */
export function setRate(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin | null,
  slug: string,
  { version, mid_rate }: { version: number; mid_rate: string },
): Promise<Pair> {
  return transaction(deps.db, async (tx) => {
    const pair = await lockVersion(tx, slug, version);
    refuseIfAny(priceErrors({ ...pair, mid_rate }));
    await store.updatePair(tx, pair.id, { mid_rate, mid_source: MANUAL });
    await store.insertRates(tx, [{ pair_id: pair.id, mid_rate, source: MANUAL, set_by: actor.id }]);
    const data = { slug, mid_rate, before: pair.mid_rate };
    await currencies.recordChange(deps, tx, {
      actor,
      origin,
      action: 'pair.rate_set',
      subject_kind: 'pair',
      subject_id: pair.id,
      data,
    });
    return get(tx, slug);
  });
}

/** Rates from before the pair was in this database: for a desk that moves in, and for the demo. */
export async function importHistory(
  tx: Tx,
  slug: string,
  points: readonly { mid_rate: string; as_of: Date }[],
): Promise<void> {
  const pair = await store.findPair(tx, { slug });
  if (pair === undefined) throw notFound();
  await store.insertRates(
    tx,
    points.map((point) => ({ ...point, pair_id: pair.id, source: MANUAL, set_by: null })),
  );
}

async function lockVersion(tx: Tx, slug: string, version: number): Promise<PairRow> {
  const pair = await store.lockPair(tx, slug, 'update');
  if (pair === undefined) throw notFound();
  if (pair.version !== version) throw versionConflict();
  return pair;
}

const blank = {
  margin_percent: '0',
  rate_digits: 0,
  send_fee_fixed: 0n,
  send_fee_percent: '0',
  receive_fee_fixed: 0n,
  receive_fee_percent: '0',
  min_send: 0n,
  max_send: 0n,
  day_max_send: null,
  month_max_send: null,
};

const JUDGED = [
  'margin_percent',
  'rate_digits',
  'send_fee',
  'receive_fee',
  'min_send',
  'max_send',
] as const;

type Before = Limited & Pick<PairRow, 'day_max_send' | 'month_max_send'>;

/**
 * The columns as they will stand, judged as a whole: amounts in minor units, and
 * what `changes` leaves out as it was before.
 * @throws Refusal 422 by field
 */
function readFigures(before: Before, changes: Changes) {
  const errors: FieldErrors = {};
  const { send_fee, receive_fee, ...rest } = changes;
  const amount = (
    field: string,
    text: string | undefined,
    side: 'send' | 'receive',
    kept: bigint,
  ) =>
    text === undefined ? kept : (tryAmount(errors, field, text, before[side].decimals) ?? kept);
  const orNone = (field: 'day_max_send' | 'month_max_send') => {
    const text = changes[field];
    return text
      ? tryAmount(errors, field, text, before.send.decimals)
      : text === null
        ? null
        : before[field];
  };
  const columns = {
    ...rest,
    send_fee_fixed: amount('send_fee.fixed', send_fee?.fixed, 'send', before.send_fee_fixed),
    send_fee_percent: send_fee?.percent ?? before.send_fee_percent,
    receive_fee_fixed: amount(
      'receive_fee.fixed',
      receive_fee?.fixed,
      'receive',
      before.receive_fee_fixed,
    ),
    receive_fee_percent: receive_fee?.percent ?? before.receive_fee_percent,
    min_send: amount('min_send', changes.min_send, 'send', before.min_send),
    max_send: amount('max_send', changes.max_send, 'send', before.max_send),
    day_max_send: orNone('day_max_send'),
    month_max_send: orNone('month_max_send'),
  };
  refuseIfAny(errors);
  for (const field of ['day_max_send', 'month_max_send'] as const) {
    const limit = columns[field];
    if (limit !== null && limit < columns.min_send)
      errors[field] = `The ${field} field must not be below min_send.`;
  }
  // A pair whose currencies' limits have left it nothing can still be switched off.
  const judged = JUDGED.some((field) => changes[field] !== undefined) || changes.active === true;
  refuseIfAny({ ...errors, ...(judged ? priceErrors({ ...before, ...columns }) : {}) });
  return columns;
}
