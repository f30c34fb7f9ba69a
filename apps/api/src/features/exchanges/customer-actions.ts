/**
 * The customer's actions on their own exchange, within the caller's
 * transaction. What they post to the ledger is handed back, to be posted last.
 */
import type { Actor } from '#kernel/actor.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/database.ts';
import { hold, release, type Posting } from '#features/ledger/ledger.ts';
import { createIn, type CreationAsk } from './creation.ts';
import type { Exchange } from './store.ts';
import { apply, posting, take, type Taken, type Work } from './transition.ts';

/** What an action did; `postings` are still to be posted, in the same transaction. */
export interface Outcome {
  readonly taken: Taken;
  readonly exchange: Exchange;
  readonly postings: readonly Posting[];
}

/** An exchange and the version of it that the person saw. */
export interface Seen {
  readonly number: string;
  readonly version: number;
}

export async function create(work: Work, tx: Tx, actor: Actor, ask: CreationAsk): Promise<Outcome> {
  const taken = await createIn(work, tx, actor, ask);
  const { exchange } = taken;
  return { taken, exchange, postings: [posting(taken, 'hold', hold(exchange))] };
}

/** @throws Refusal 409 `evidence_missing`, and what the table says */
export async function submit(
  work: Work,
  tx: Tx,
  actor: Actor,
  seen: Seen,
  reference: string | undefined,
): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'submit', by: { who: 'customer', actor }, ...seen });
  checkEvidence(taken, reference);
  const { exchange } = await apply(work, tx, taken, {
    set: {
      submitted_at: taken.facts.now,
      payment_reference: reference ?? taken.exchange.payment_reference,
    },
    data: reference === undefined ? {} : { payment_reference: reference },
  });
  return { taken, exchange, postings: [] };
}

function checkEvidence({ exchange, proofs }: Taken, reference: string | undefined): void {
  const { evidence } = exchange;
  const proven = evidence !== 'reference' && proofs.length > 0;
  const referred = evidence !== 'proof' && reference !== undefined;
  if (proven || referred) return;
  const wanted =
    evidence === 'reference'
      ? 'Give the reference of your payment.'
      : 'Upload a proof of payment or give its reference.';
  throw new Refusal(409, 'evidence_missing', wanted);
}

export async function undo(work: Work, tx: Tx, actor: Actor, seen: Seen): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'undo', by: { who: 'customer', actor }, ...seen });
  const { exchange } = await apply(work, tx, taken, {
    set: { submitted_at: null, undone_at: taken.facts.now },
  });
  return { taken, exchange, postings: [] };
}

export async function cancel(work: Work, tx: Tx, actor: Actor, seen: Seen): Promise<Outcome> {
  const taken = await take(work, tx, { action: 'cancel', by: { who: 'customer', actor }, ...seen });
  const cancelled = await apply(work, tx, taken);
  const { exchange } = cancelled;
  return {
    taken,
    exchange,
    postings: [posting(cancelled, 'release', release(exchange), { reason: 'cancelled' })],
  };
}

/**
 * What the system does with an unpaid exchange past its time: with a proof
 * uploaded it is submitted, since the customer has evidently paid; without one
 * it expires.
 */
export async function endWaiting(work: Work, tx: Tx, number: string): Promise<Outcome> {
  const by = { who: 'system' } as const;
  const waiting = await take(work, tx, { action: 'expire', by, number }).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 409) return null;
    throw error;
  });
  if (waiting) {
    const expired = await apply(work, tx, waiting);
    const { exchange } = expired;
    return {
      taken: waiting,
      exchange,
      postings: [posting(expired, 'release', release(exchange), { reason: 'expired' })],
    };
  }
  const proven = await take(work, tx, { action: 'submit', by, number });
  const { exchange } = await apply(work, tx, proven, { set: { submitted_at: proven.facts.now } });
  return { taken: proven, exchange, postings: [] };
}
