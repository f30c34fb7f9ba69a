/** Pure: which of a pair's figures are invalid, alone or together. */
import { theField } from '@cambist/contract/field-name';
import { formatAmount } from '@cambist/money/amount';
import {
  compare,
  formatDecimal,
  MoneyError,
  parseDecimal,
  trimZeros,
  zero,
  type Decimal,
} from '@cambist/money/decimal';
import { quoteSend, type PriceTerms } from '@cambist/money/quote';
import type { FieldErrors } from '#kernel/amount-field.ts';
import { sendLimits } from '../limits.ts';
import { terms, type LimitedPrice } from '../terms.ts';

export function priceErrors(pair: LimitedPrice): FieldErrors {
  const { send, min_send, max_send } = pair;
  const errors = rangeErrors(pair);
  const priced = terms(pair);
  if (priced === null || Object.keys(errors).length > 0) return errors;
  if (priced.rate.units <= 0n)
    return {
      rate_digits: "The customer's rate would be zero: use more digits or a smaller margin.",
    };
  const amount = (minor: bigint) => `${formatAmount(minor, send.decimals)} ${send.unit}`;
  if (quoteError(priced, min_send) === 'amount_too_small') {
    errors['min_send'] =
      `At ${amount(min_send)} nothing is left to pay out. Raise the minimum or lower the fees.`;
  }
  if (quoteError(priced, max_send) === 'amount_too_large') {
    errors['max_send'] =
      `At ${amount(max_send)} the payout would be larger than the desk can count.`;
  }
  if (Object.keys(errors).length === 0 && sendLimits(pair) === null) {
    errors['max_send'] = "No amount keeps both the pair's and the two currencies' limits.";
  }
  return errors;
}

const fifty = parseDecimal('50');

function rangeErrors(pair: LimitedPrice): FieldErrors {
  const errors: FieldErrors = {
    ...percentErrors('margin_percent', pair.margin_percent, parseDecimal('-50')),
    ...percentErrors('send_fee.percent', pair.send_fee_percent, zero),
    ...percentErrors('receive_fee.percent', pair.receive_fee_percent, zero),
    ...tierErrors(pair),
  };
  for (const side of ['send_fee', 'receive_fee'] as const) {
    const [min, max] = [pair[`${side}_min`], pair[`${side}_max`]];
    if (max !== null && max < (min ?? 0n))
      errors[`${side}.max`] = `The ${theField(`${side}.max`)} must not be below ${side}.min.`;
  }
  for (const field of ['mid_rate', 'rate_min', 'rate_max'] as const) {
    const text = pair[field];
    if (text !== null && parseDecimal(text).units <= 0n)
      errors[field] = `The ${theField(field)} must be above zero.`;
  }
  const { rate_min: low, rate_max: high } = pair;
  if (low !== null && high !== null && compare(parseDecimal(high), parseDecimal(low)) < 0)
    errors['rate_max'] = 'The rate max field must not be below rate_min.';
  if (pair.payout_step !== null && pair.payout_step <= 0n)
    errors['payout_step'] = 'The payout step field must be above zero.';
  if (pair.min_send <= 0n) errors['min_send'] = 'The min send field must be above zero.';
  else if (pair.max_send < pair.min_send)
    errors['max_send'] = 'The max send field must not be below min_send.';
  return errors;
}

function percentErrors(field: string, text: string, least: Decimal): FieldErrors {
  const percent = parseDecimal(text);
  if (trimZeros(percent).scale > 6)
    return { [field]: `The ${theField(field)} must have at most 6 decimals.` };
  if (compare(percent, least) >= 0 && compare(percent, fifty) <= 0) return {};
  return { [field]: `The ${theField(field)} must be between ${formatDecimal(least)} and 50.` };
}

/**
 * With a larger margin than the tier before, the payout would fall where the tier begins. Margins
 * are compared, not today's payouts, so that this holds at every rate.
 */
function tierErrors({ margin_percent, max_send, tiers }: LimitedPrice): FieldErrors {
  const errors: FieldErrors = {};
  let before = { from: 0n, margin: margin_percent };
  for (const [at, tier] of tiers.entries()) {
    const [from, margin] = [BigInt(tier.from), tier.margin_percent];
    Object.assign(errors, percentErrors(`tiers.${at}.margin_percent`, margin, parseDecimal('-50')));
    if (from <= before.from)
      errors[`tiers.${at}.from`] =
        at === 0 ? 'The first tier must begin above zero.' : 'Each tier must begin above the last.';
    else if (compare(parseDecimal(margin), parseDecimal(before.margin)) > 0)
      errors[`tiers.${at}.margin_percent`] =
        'Here the payout would fall as the amount rises: a tier must not have a larger margin than the one before.';
    if (from > max_send && errors[`tiers.${at}.from`] === undefined)
      errors[`tiers.${at}.from`] = 'No amount reaches this tier: it begins above max_send.';
    before = { from, margin };
  }
  return errors;
}

function quoteError(priced: PriceTerms, send: bigint): string | null {
  try {
    quoteSend(priced, send);
    return null;
  } catch (error) {
    if (error instanceof MoneyError) return error.code;
    throw error;
  }
}
