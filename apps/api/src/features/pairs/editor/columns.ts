/** Pure: from the fields of a request to the columns of a pair, and their validation together. */
import { theField } from '@cambist/contract/field-name';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createPair, updatePair } from '@cambist/contract/pairs';
import { parseFormula } from '#features/rates/market/formula.ts';
import { refuseIfAny, tryAmount, type FieldErrors } from '#kernel/amount-field.ts';
import type { TierJson } from '#platform/db/json-columns.ts';
import type { PairsTable } from '#platform/db/tables.generated.ts';
import type { Selectable } from 'kysely';
import { hoursErrors } from '../hours.ts';
import { priceErrors } from './price-errors.ts';
import type { LimitedPrice } from '../terms.ts';

export type Draft = BodyOf<typeof createPair>;
export type Changes = Omit<BodyOf<typeof updatePair>, 'version'>;

/** The columns that an editor can change, with the currencies that amounts are read in. */
type EditablePair = LimitedPrice &
  Pick<
    Selectable<PairsTable>,
    'day_max_send' | 'formula' | 'hours' | 'month_max_send' | 'rate_mode'
  >;

/** A new pair. */
export const blank = {
  rate_mode: 'manual',
  formula: null,
  mid_rate: null,
  margin_percent: '0',
  margin_absolute: '0',
  rate_digits: 0,
  rate_min: null,
  rate_max: null,
  tiers: [],
  send_fee_fixed: 0n,
  send_fee_percent: '0',
  send_fee_min: null,
  send_fee_max: null,
  receive_fee_fixed: 0n,
  receive_fee_percent: '0',
  receive_fee_min: null,
  receive_fee_max: null,
  payout_step: null,
  min_send: 0n,
  max_send: 0n,
  day_max_send: null,
  month_max_send: null,
  hours: null,
} as const satisfies Omit<EditablePair, 'send' | 'receive'>;

/** Whatever else changes, the price stays as valid as it was. */
const HARMLESS = [
  'active',
  'complete_on_approval',
  'evidence',
  'hours',
  'lock_minutes',
  'pay_minutes',
  'position',
];

/**
 * The columns after the changes, amounts in minor units; an omitted field keeps its value.
 * @throws Refusal 422 by field, for all that needs no rate
 */
export function readColumns<C extends Changes>(before: EditablePair, changes: C) {
  const errors: FieldErrors = { ...hoursErrors(changes.hours ?? null) };
  const amount = (field: string, text: string | undefined, side: Side, old: bigint) =>
    text === undefined ? old : (tryAmount(errors, field, text, before[side].decimals) ?? old);
  const orNone = (field: string, text: Text, side: Side, old: bigint | null) => {
    if (text === undefined) return old;
    return text === null ? null : tryAmount(errors, field, text, before[side].decimals);
  };
  const { send_fee, receive_fee, ...rest } = changes;
  const columns = {
    ...rest,
    margin_absolute: changes.margin_absolute ?? before.margin_absolute,
    rate_min: changes.rate_min === undefined ? before.rate_min : changes.rate_min,
    rate_max: changes.rate_max === undefined ? before.rate_max : changes.rate_max,
    hours: changes.hours === undefined ? before.hours : changes.hours,
    ...readMode(errors, before, changes),
    tiers: readTiers(errors, before, changes),
    send_fee_fixed: amount('send_fee.fixed', send_fee?.fixed, 'send', before.send_fee_fixed),
    send_fee_percent: send_fee?.percent ?? before.send_fee_percent,
    send_fee_min: orNone('send_fee.min', send_fee?.min, 'send', before.send_fee_min),
    send_fee_max: orNone('send_fee.max', send_fee?.max, 'send', before.send_fee_max),
    receive_fee_fixed: amount(
      'receive_fee.fixed',
      receive_fee?.fixed,
      'receive',
      before.receive_fee_fixed,
    ),
    receive_fee_percent: receive_fee?.percent ?? before.receive_fee_percent,
    receive_fee_min: orNone('receive_fee.min', receive_fee?.min, 'receive', before.receive_fee_min),
    receive_fee_max: orNone('receive_fee.max', receive_fee?.max, 'receive', before.receive_fee_max),
    payout_step: orNone('payout_step', changes.payout_step, 'receive', before.payout_step),
    min_send: amount('min_send', changes.min_send, 'send', before.min_send),
    max_send: amount('max_send', changes.max_send, 'send', before.max_send),
    day_max_send: orNone('day_max_send', changes.day_max_send, 'send', before.day_max_send),
    month_max_send: orNone('month_max_send', changes.month_max_send, 'send', before.month_max_send),
  };
  refuseIfAny(errors);
  return columns;
}

type Columns = ReturnType<typeof readColumns<Changes>>;

/**
 * Validates the columns together; `before` has the new mid rate already.
 * @throws Refusal 422 by field
 */
export function validateColumns(before: EditablePair, changes: Changes, columns: Columns): void {
  const errors: FieldErrors = {};
  for (const field of ['day_max_send', 'month_max_send'] as const) {
    const limit = columns[field];
    if (limit !== null && limit < columns.min_send)
      errors[field] = `The ${theField(field)} must not be below min_send.`;
  }
  refuseIfAny(errors);
  // A pair that became invalid by its currencies' limits can still be switched off.
  if (changes.active === true || Object.keys(changes).some((field) => !HARMLESS.includes(field)))
    refuseIfAny(priceErrors({ ...before, ...columns }));
}

type Side = 'send' | 'receive';
type Text = string | null | undefined;

/** Another mode removes the formula. */
function readMode(errors: FieldErrors, before: EditablePair, changes: Changes) {
  const rate_mode = changes.rate_mode ?? before.rate_mode;
  const given = changes.formula;
  if (rate_mode !== 'formula') {
    if (given) errors['formula'] = 'The formula field only goes with the rate mode formula.';
    return { rate_mode, formula: null };
  }
  const formula = given === undefined ? before.formula : given;
  const read = formula === null ? null : parseFormula(formula);
  if (read === null) errors['formula'] = 'The formula field is required in the rate mode formula.';
  else if (!read.ok) errors['formula'] = `${read.message} (At character ${read.at + 1}.)`;
  return { rate_mode, formula };
}

function readTiers(errors: FieldErrors, before: EditablePair, { tiers }: Changes): TierJson[] {
  if (tiers === undefined) return [...before.tiers];
  return tiers.map(({ from, margin_percent }, at) => ({
    from: String(tryAmount(errors, `tiers.${at}.from`, from, before.send.decimals) ?? 0n),
    margin_percent,
  }));
}
