/** An operator takes an exchange for review or for paying it out, and gives it back. */
import type { DeskExchangeDetail } from '@cambist/contract/desk';
import { MINUTE } from '#kernel/clock.ts';
import type { Tx } from '#platform/db/database.ts';
import type { ExchangeContext } from '../context.ts';
import { tellCustomer } from '../customer-emails.ts';
import { claimIsLive } from '../guards.ts';
import { operatorAnswer } from '../operator-reads.ts';
import { refuseUnbalancedLedger } from '../reconciliation.ts';
import * as store from '../store/exchanges.ts';
import { commitAction, lockForAction, type Operator, type Seen } from './transition.ts';

/** For `set`, where an action ends the claim. */
export const unclaimed = { claimed_by: null, claimed_until: null } as const;

/**
 * Also takes over a lapsed claim, or renews the operator's own, which is no event. Nothing is
 * claimed for payout that could not be completed: the money leaves before its reference is entered.
 * @throws Refusal 503 `ledger_unbalanced`, and what the table says
 */
export async function claim(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version }: Seen,
): Promise<{ data: DeskExchangeDetail }> {
  const by = { who: 'operator', ...operator } as const;
  const locked = await lockForAction(context, tx, { action: 'claim', by, number, version });
  const { exchange, facts } = locked;
  if (exchange.state === 'approved') await refuseUnbalancedLedger(tx);
  const set = {
    claimed_by: operator.actor.id,
    claimed_until: new Date(facts.now.getTime() + context.claimMinutes * MINUTE),
  };
  const isOwn = exchange.claimed_by === operator.actor.id;
  // Before a payout the timeline says since when it is whose: one that lapsed begins anew.
  const hasLapsed = exchange.state === 'approved' && !claimIsLive(facts);
  if (isOwn && !hasLapsed) {
    const renewed = await store.updateExchange(tx, exchange, set);
    return operatorAnswer(context, tx, operator.actor, { exchange: renewed, now: facts.now });
  }
  const claimed = await commitAction(context, tx, locked, {
    set,
    data: exchange.claimed_by === null || isOwn ? {} : { taken_over_from: exchange.claimed_by },
  });
  await tellCustomer(context, tx, claimed);
  return operatorAnswer(context, tx, operator.actor, claimed);
}

export async function release(
  context: ExchangeContext,
  tx: Tx,
  operator: Operator,
  { number, version }: Seen,
): Promise<{ data: DeskExchangeDetail }> {
  const by = { who: 'operator', ...operator } as const;
  const locked = await lockForAction(context, tx, { action: 'release', by, number, version });
  const released = await commitAction(context, tx, locked, { set: unclaimed });
  return operatorAnswer(context, tx, operator.actor, released);
}
