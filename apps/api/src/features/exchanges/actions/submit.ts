/** The customer submits the payment, and may undo the submission once. */
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import type { Actor } from '#kernel/actor.ts';
import { HOUR } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { ExchangeContext } from '../context.ts';
import { notifyCustomer } from '../notify-customer.ts';
import { customerAnswer } from '../customer-reads.ts';
import { commitAction, lockForAction, type Locked, type Seen } from './transition.ts';

/** @throws Refusal 409 `evidence_missing`; as the table of actions says */
export async function submit(
  context: ExchangeContext,
  tx: Tx,
  actor: Actor,
  { number, version, payment_reference: reference }: Seen & { payment_reference?: string },
): Promise<{ data: ExchangeView }> {
  const by = { who: 'customer', actor } as const;
  const locked = await lockForAction(context, tx, { action: 'submit', by, number, version });
  requireEvidence(locked, reference);
  const submitted = await commitAction(context, tx, locked, {
    set: {
      ...submittedAt(context, locked.facts.now),
      payment_reference: reference ?? locked.exchange.payment_reference,
    },
    data: reference === undefined ? {} : { payment_reference: reference },
  });
  await notifyCustomer(context, tx, submitted);
  return customerAnswer(context, tx, submitted);
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
  actor: Actor,
  { number, version }: Seen,
): Promise<{ data: ExchangeView }> {
  const by = { who: 'customer', actor } as const;
  const locked = await lockForAction(context, tx, { action: 'undo', by, number, version });
  const undone = await commitAction(context, tx, locked, {
    set: { submitted_at: null, rate_held_until: null, undone_at: locked.facts.now },
  });
  await notifyCustomer(context, tx, undone);
  return customerAnswer(context, tx, undone);
}
