/** Pure: what the desk keeps of one exchange, at the mid rate. */
import { formatAmount } from '@cambist/money/amount';
import { floorDivide, formatDecimal, tenTo } from '@cambist/money/decimal';
import type { PriceTerms, Quote } from '@cambist/money/quote';

/** Shown percentages have four decimals. */
const PERCENT_SCALE = 4;

/**
 * Amounts in major units of their currency, the percentage of the amount sent.
 * Everything is rounded down, so that the desk is never promised too much. Null
 * where there is no mid rate.
 */
export function deskMargin(quote: Quote, { mid, sendDecimals, receiveDecimals }: PriceTerms) {
  if (mid === null) return null;
  // The amount sent at the mid rate, in receive minor units, as an exact fraction.
  const value = quote.send * mid.units * tenTo(receiveDecimals);
  const whole = tenTo(sendDecimals + mid.scale);
  const gain = value - quote.payout * whole;
  const received = (units: bigint) => formatDecimal({ units, scale: receiveDecimals });
  return {
    percent: formatDecimal({
      units: floorDivide(gain * 100n * tenTo(PERCENT_SCALE), value),
      scale: PERCENT_SCALE,
    }),
    send_fee: formatAmount(quote.sendFee, sendDecimals),
    receive_fee: formatAmount(quote.receiveFee, receiveDecimals),
    spread: received(quote.spread),
    total: received(floorDivide(gain, whole)),
  };
}
