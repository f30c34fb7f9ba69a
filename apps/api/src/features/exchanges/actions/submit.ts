/** The customer submits the payment, may undo the submission once, or cancels before it. */
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { HOUR } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { release } from '#features/ledger/ledger.ts';
import type { ExchangeContext } from '../context.ts';
import { finishForCustomer } from './finish.ts';
import {
  commitAction,
  lockForAction,
  posting,
  type Locked,
  type Seen,
  type Customer,
} from './transition.ts';

/** @throws Refusal 409 `evidence_missing`; as the table of actions says */
export async function submit(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  { number, version, payment_reference: reference }: Seen & { payment_reference?: string },
): Promise<{ data: ExchangeView }> {
  const locked = await lockForAction(context, tx, customer, 'submit', { number, version });
  requireEvidence(locked, reference);
  const submitted = await commitAction(tx, locked, {
    set: {
      ...submittedAt(context, locked.facts.now),
      payment_reference: reference ?? locked.exchange.payment_reference,
    },
    data: reference === undefined ? {} : { payment_reference: reference },
  });
  return finishForCustomer(context, tx, submitted);
}

/** The rate stays locked for some hours more. */
export function submittedAt({ desk }: ExchangeContext, now: Date) {
  const heldMs = desk.rate_hold_hours * HOUR;
  return { submitted_at: now, rate_held_until: new Date(now.getTime() + heldMs) };
}

function requireEvidence({ exchange, proofs }: Locked, reference: string | undefined): void {
  const { evidence } = exchange;
  const hasProof = evidence !== 'reference' && proofs.length > 0;
  const hasReference = evidence !== 'proof' && reference !== undefined;
  if (hasProof || hasReference) return;
  const wanted =
    evidence === 'reference'
      ? 'Give the reference of your payment.'
      : 'Upload a proof of payment or give its reference.';
  throw new Refusal(409, 'evidence_missing', wanted);
}

export async function undo(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  { number, version }: Seen,
): Promise<{ data: ExchangeView }> {
  const locked = await lockForAction(context, tx, customer, 'undo', { number, version });
  const undone = await commitAction(tx, locked, {
    set: { submitted_at: null, rate_held_until: null, undone_at: locked.facts.now },
  });
  return finishForCustomer(context, tx, undone);
}

/** The hold is released. @throws Refusal as the table of actions says */
export async function cancel(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  { number, version }: Seen,
): Promise<{ data: ExchangeView }> {
  const locked = await lockForAction(context, tx, customer, 'cancel', { number, version });
  const cancelled = await commitAction(tx, locked);
  return finishForCustomer(context, tx, cancelled, [
    posting(cancelled, 'release', release(cancelled.exchange), { reason: 'cancelled' }),
  ]);
}
