/**
 * A fee on one side of a price, and its inverse: the least amount that leaves a
 * given rest after the fee. In whole minor units.
 */
import { parseAmount } from './amount.ts';
import { ceilDivide, MoneyError, parseDecimal, tenTo, type Decimal } from './decimal.ts';

/**
 * Amounts in minor units of its side's currency; `percent` from 0 to below 100.
 * The fee is `fixed` and the percentage together, then at least `min` and at
 * most `max`; null sets no bound.
 */
export interface Fee {
  readonly fixed: bigint;
  readonly percent: Decimal;
  readonly min: bigint | null;
  readonly max: bigint | null;
}

/** In major units and hundredths. */
export interface WireFee {
  readonly fixed: string;
  readonly percent: string;
  readonly min: string | null;
  readonly max: string | null;
}

/** @throws MoneyError where a string is no decimal, or has more decimals than its currency */
export function readFee(wire: WireFee, decimals: number): Fee {
  const bound = (text: string | null) => (text === null ? null : parseAmount(text, decimals));
  return {
    fixed: parseAmount(wire.fixed, decimals),
    percent: parseDecimal(wire.percent),
    min: bound(wire.min),
    max: bound(wire.max),
  };
}

/** @throws MoneyError `fee_out_of_range` */
export function checkFee({ fixed, percent, min, max }: Fee): void {
  // From 100 % on nothing would be left, and the least send would not exist.
  if (fixed < 0n || percent.units < 0n || percent.units >= wholeOf(percent)) {
    throw new MoneyError('fee_out_of_range', 'A fee is 0 or more, and below 100 %.');
  }
  if ((min ?? 0n) < 0n || (max !== null && max < (min ?? 0n))) {
    throw new MoneyError('fee_out_of_range', 'A fee is at least 0, its maximum not below that.');
  }
}

/**
 * The fee on `base`, rounded up to whole minor units, within its bounds. The
 * receive fee's base is the gross already rounded down: the shown lines then
 * reproduce the total, and base − fee = ⌊base × (1 − percent)⌋ − fixed never
 * falls as the base rises, nor does it where a bound takes the fee's place.
 */
export function feeOn(base: bigint, { fixed, percent, min, max }: Fee): bigint {
  const fee = fixed + ceilDivide(base * percent.units, wholeOf(percent));
  if (min !== null && fee < min) return min;
  return max !== null && fee > max ? max : fee;
}

/**
 * The least base that leaves at least `rest` after its fee: the inverse of
 * `base − feeOn(base)`. A minimum asks for the larger of two bases, a maximum
 * for the smaller, because both parts of the fee's clamp only rise with the base.
 */
export function leastBefore(rest: bigint, { fixed, percent, min, max }: Fee): bigint {
  const whole = wholeOf(percent);
  const unbounded = ceilDivide((rest + fixed) * whole, whole - percent.units);
  const atLeast = min !== null && rest + min > unbounded ? rest + min : unbounded;
  return max !== null && rest + max < atLeast ? rest + max : atLeast;
}

/** 100 % in the percentage's own units. */
function wholeOf(percent: Decimal): bigint {
  return tenTo(percent.scale + 2);
}
