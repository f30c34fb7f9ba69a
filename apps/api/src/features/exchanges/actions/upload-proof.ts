/** The customer uploads a proof: the file is received first, then attached in a transaction. */
import type { Proof as ProofView } from '@cambist/contract/exchanges';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#kernel/actor.ts';
import { Refusal } from '#kernel/refusal.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as proofs from '#features/proofs/proofs.ts';
import { openContext, type ExchangeContext } from '../context.ts';
import { findOwn } from '../customer-reads.ts';
import * as store from '../store/exchanges.ts';
import { findRecords } from '../store/records.ts';
import { refusalOf, rowOf } from '../workflow.ts';
import { finish } from './finish.ts';
import { commitAction, factsOf, lockForAction } from './transition.ts';

/**
 * Idempotent by the file's content. The version does not change, since a proof conflicts with no
 * other action.
 * @throws Refusal 404; 409 `exchange_not_payable`, `too_many_proofs`; 413; 422 on `proof`; 429
 *   `too_many_uploads`; 503 `storage_full`, or when too many files wait to be inspected
 */
export async function uploadProof(
  deps: Deps,
  actor: Actor,
  number: string,
  request: FastifyRequest,
): Promise<ProofView> {
  const context = await openContext(deps);
  // Refused before the upload where possible. With proofs the file may be one of them, repeated
  // after a lost response, which is only known after it was read.
  const before = await findOwn(deps.db, actor, number);
  const known = await proofs.proofsOf(deps.db, before.id);
  const now = await context.readTime(deps.db);
  const records = await findRecords(deps.db, before.id);
  const facts = factsOf(context, {
    exchange: before,
    records,
    proofCount: known.length,
    actor,
    now,
  });
  const refusal = refusalOf(rowOf('upload_proof', 'customer'), facts);
  if (refusal && known.length === 0) throw refusal;
  const uploaded = await proofs.receiveProof(deps, request, actor.id);
  const same = known.find((proof) => proof.sha256.equals(uploaded.file.sha256));
  if (same || refusal) {
    await uploaded.file.discard();
    if (same) return proofs.proofView(same);
    throw refusal;
  }
  return attachOrDiscard(context, actor, number, await proofs.keepProof(deps, uploaded));
}

async function attachOrDiscard(
  context: ExchangeContext,
  actor: Actor,
  number: string,
  received: proofs.ReceivedProof,
): Promise<ProofView> {
  try {
    const { proof, isNew } = await transaction(context.db, (tx) =>
      attachProof(context, tx, actor, number, received),
    );
    if (!isNew) await proofs.discardProof(context, received);
    return proofs.proofView(proof);
  } catch (error) {
    // After another error the row may exist; the hourly sweep decides.
    if (error instanceof Refusal) await proofs.discardProof(context, received);
    throw error;
  }
}

/** @throws Refusal 404; as the table of actions says */
export async function attachProof(
  context: ExchangeContext,
  tx: Tx,
  actor: Actor,
  number: string,
  received: proofs.ReceivedProof,
): Promise<{ proof: proofs.Proof; isNew: boolean }> {
  const exchange = await store.lockExchange(tx, number);
  const known = exchange?.user_id === actor.id ? await proofs.proofsOf(tx, exchange.id) : [];
  const same = known.find((proof) => proof.sha256.equals(received.sha256));
  if (same) return { proof: same, isNew: false };
  const customer = { who: 'customer', actor } as const;
  const locked = await lockForAction(context, tx, customer, 'upload_proof', { number });
  const proof = await proofs.recordProof(tx, received, {
    exchange_id: locked.exchange.id,
    uploaded_by: actor.id,
    at: locked.facts.now,
  });
  const withIt = { ...locked, proofs: [...locked.proofs, proof] };
  const uploaded = await commitAction(tx, withIt, { data: { proof: proof.id } });
  await finish(context, tx, uploaded);
  return { proof, isNew: true };
}
