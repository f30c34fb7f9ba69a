/** What an approval decides about the received amount and the rate. */
import { differences, type Difference } from '@cambist/contract/exchange-records';
import { readAmount } from '#kernel/amount-field.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { recalculated, type Figures } from '#features/pairs/price.ts';
import { toleranceOf, type ExchangeContext } from '../context.ts';
import { differenceOf } from '../records.ts';
import type { Exchange } from '../store/exchanges.ts';
import { currentFigures } from './recalculate.ts';
import type { Locked } from './transition.ts';

/** Minor units of the send currency. */
export interface Decision {
  /** Received now, beside the receipts that stand. */
  readonly entered: bigint;
  /** Of a recalculation. */
  readonly figures: Figures | null;
  /** To be refunded. */
  readonly excess: bigint;
  /** Kept above, or borne below (negative), the expected amount. */
  readonly tolerated: bigint;
}

/**
 * @throws Refusal 409 `amount_differs`, `rate_lapsed` where the operator must choose, with the choices
 *   in `errors.difference`; 409 `pair_unavailable`; 422 on `received_amount`, `difference`
 */
export async function decide(
  context: ExchangeContext,
  tx: Tx,
  locked: Locked,
  { received_amount, difference: choice }: { received_amount: string; difference?: Difference },
): Promise<Decision> {
  const { exchange, facts } = locked;
  const entered = readAmount('received_amount', received_amount, exchange.send.decimals);
  const difference = differenceOf(exchange) + entered;
  const lapsed = exchange.rate_held_until !== null && facts.now >= exchange.rate_held_until;
  const tolerance = toleranceOf(context, exchange.send);
  const isWithin = difference <= tolerance && difference >= -tolerance;
  if (choice === undefined) {
    if (!isWithin) throw amountDiffers(exchange, difference);
    if (lapsed) throw rateLapsed(difference);
    return { entered, figures: null, excess: 0n, tolerated: difference };
  }
  if (difference === 0n && !lapsed) {
    throw invalid({ difference: 'The amount is as expected, so there is nothing to decide.' });
  }
  if (choice === 'refund_excess') {
    if (difference > 0n) return { entered, figures: null, excess: difference, tolerated: 0n };
    throw invalid({ difference: 'No more than the expected amount was received.' });
  }
  const sendMinor = exchange.send_minor + difference;
  const figures =
    choice === 'recalculate_locked'
      ? recalculated(exchange, sendMinor)
      : await currentFigures(context, tx, locked, sendMinor);
  return { entered, figures, excess: 0n, tolerated: 0n };
}

function choicesFor(difference: bigint): readonly Difference[] {
  return differences.filter((choice) => choice !== 'refund_excess' || difference > 0n);
}

function amountDiffers({ send, send_minor }: Exchange, difference: bigint): Refusal {
  const expected = withUnit(send_minor, send);
  const received = withUnit(send_minor + difference, send);
  return new Refusal(
    409,
    'amount_differs',
    `The expected amount is ${expected}, and ${received} were received. Decide what to do with the difference.`,
    { errors: { difference: choicesFor(difference) } },
  );
}

function rateLapsed(difference: bigint): Refusal {
  return new Refusal(
    409,
    'rate_lapsed',
    'The rate is no longer locked. Decide whether the locked or the current rate counts.',
    { errors: { difference: choicesFor(difference) } },
  );
}
