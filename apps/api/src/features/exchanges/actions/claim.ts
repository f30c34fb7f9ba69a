/** An operator claims an exchange for review or payout, and releases it. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import { MINUTE } from '#kernel/clock.ts';
import type { Tx } from '#platform/db/database.ts';
import type { ExchangeContext } from '../context.ts';
import { claimIsLive } from '../guards.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { refuseUnbalancedLedger } from '../reconciliation.ts';
import * as store from '../store/exchanges.ts';
import { endQuestion } from '../store/records.ts';
import { stateAfter } from '../workflow.ts';
import { finishForOperator } from './finish.ts';
import { commitAction, lockForAction, type Operator, type Seen } from './transition.ts';

/** Ends the claim. */
export const unclaimed = { claimed_by: null, claimed_until: null } as const;

/**
 * Takes over a lapsed claim too; renewing the own one is no event. An unbalanced ledger refuses the
 * claim of a payout, because the money leaves before the completion is entered.
 * @throws Refusal 503 `ledger_unbalanced`; as the table of actions says
 */
export async function claim(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version }: Seen,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'claim', { number, version });
  const { exchange, facts } = locked;
  if (exchange.state === 'approved') refuseUnbalancedLedger(locked);
  const set = {
    claimed_by: operator.actor.id,
    claimed_until: new Date(facts.now.getTime() + context.claimMinutes * MINUTE),
  };
  if (exchange.state === 'on_hold')
    await endQuestion(tx, exchange.id, { state: 'withdrawn', ended_at: facts.now });
  const isOwn = exchange.claimed_by === operator.actor.id;
  // A lapsed claim of a payout begins anew, so that the timeline has its start.
  const hasLapsed = exchange.state === 'approved' && !claimIsLive(facts);
  if (isOwn && !hasLapsed && stateAfter(locked.row, exchange.state) === exchange.state) {
    const renewed = await store.updateExchange(tx, exchange, set);
    return operatorAnswer(context, tx, operator.actor, { exchange: renewed, now: facts.now });
  }
  const claimed = await commitAction(tx, locked, {
    set,
    data: exchange.claimed_by === null || isOwn ? {} : { taken_over_from: exchange.claimed_by },
  });
  return finishForOperator(context, tx, operator, claimed);
}

export async function release(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version }: Seen,
): Promise<{ data: DeskExchangeDetail }> {
  const locked = await lockForAction(context, tx, operator, 'release', { number, version });
  const released = await commitAction(tx, locked, { set: unclaimed });
  return finishForOperator(context, tx, operator, released);
}
