/** What an approval decides about the received amount and the rate. */
import { differences, type Difference } from '@cambist/contract/exchange-records';
import type { listOutcomes as endpoint, Outcome } from '@cambist/contract/desk';
import type { ReplyOf } from '@cambist/contract/endpoint';
import { formatAmount } from '@cambist/money/amount';
import type { Actor } from '#kernel/actor.ts';
import { readAmount } from '#kernel/amount-field.ts';
import { invalid, notFound, Refusal } from '#kernel/refusal.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { displayRate, recalculated, type Figures } from '#features/pairs/price.ts';
import { secondApproverThreshold } from '#features/pairs/second-approver.ts';
import { openContext, toleranceOf, type ExchangeContext } from '../context.ts';
import { firstApproval, type Facts } from '../guards.ts';
import { differenceOf } from '../records.ts';
import { findExchange, type Exchange } from '../store/exchanges.ts';
import { findRecords } from '../store/records.ts';
import { currentFigures } from './recalculate.ts';
import type { InputOf } from './run.ts';

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
  locked: { readonly exchange: Exchange; readonly facts: Pick<Facts, 'now'> },
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

/**
 * What an approval with this amount would do, by each possible decision.
 * @throws Refusal 404; 422 on `received_amount`
 */
export async function listOutcomes(
  deps: Deps,
  actor: Actor,
  { number, received_amount }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const context = await openContext(deps);
  // Not a snapshot: the pair is locked while its terms are read.
  return transaction(deps.db, async (tx) => {
    const exchange = await findExchange(tx, number);
    if (!exchange) throw notFound();
    const now = await context.readTime(tx);
    const entered = readAmount('received_amount', received_amount, exchange.send.decimals);
    const difference = differenceOf(exchange) + entered;
    const seen = { exchange, facts: { now } };
    const outcomes: Outcome[] = [];
    for (const choice of [undefined, ...choicesFor(difference)]) {
      const asked = { received_amount, ...(choice && { difference: choice }) };
      const outcome = await decide(context, tx, seen, asked).catch(nullIfRefused);
      if (outcome) outcomes.push(outcomeView(exchange, choice ?? null, outcome));
    }
    const current = await currentFigures(context, tx, seen, exchange.send_minor).catch(
      nullIfRefused,
    );
    const received = exchange.received_minor + entered;
    const needsTwo = await needsSecond(context, tx, exchange, entered);
    const first = firstApproval({ records: await findRecords(tx, exchange.id), now });
    return {
      data: {
        received_amount: formatAmount(received, exchange.send.decimals),
        rate_lapsed: exchange.rate_held_until !== null && now >= exchange.rate_held_until,
        needs_second_approval: needsTwo,
        first_by: first && first.approved_by !== actor.id ? first.approver : null,
        completes: completes(exchange, needsTwo, now),
        current: current && {
          receive_amount: formatAmount(current.payout_minor, exchange.receive.decimals),
          rate: displayRate(current),
        },
        outcomes,
      },
    };
  });
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

function outcomeView(
  exchange: Exchange,
  difference: Difference | null,
  { figures, excess, tolerated }: Decision,
): Outcome {
  const { send, receive } = exchange;
  const after = figures ?? exchange;
  return {
    difference,
    send_amount: formatAmount(after.send_minor, send.decimals),
    receive_amount: formatAmount(after.payout_minor, receive.decimals),
    rate: displayRate(after),
    excess: formatAmount(excess, send.decimals),
    tolerated: formatAmount(tolerated, send.decimals),
  };
}

/** Whether the approval pays out in the same step, as the pair says. */
export function completes(
  { complete_on_approval, payout_waits_until: waits }: Exchange,
  needsTwo: boolean,
  now: Date,
): boolean {
  return complete_on_approval && !needsTwo && (waits === null || waits <= now);
}

/** By what is sent, expected or received in all, whichever is more. */
export async function needsSecond(
  context: ExchangeContext,
  tx: Tx,
  { send, send_minor, received_minor }: Exchange,
  entered: bigint,
): Promise<boolean> {
  const threshold = await secondApproverThreshold(context, send, tx);
  return threshold !== null && (send_minor > threshold || received_minor + entered > threshold);
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
