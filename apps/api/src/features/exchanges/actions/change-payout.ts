/** The customer changes the account that the payout goes to. */
import type { changePayoutFields } from '@cambist/contract/customer-actions';
import type { Exchange as ExchangeView } from '@cambist/contract/exchanges';
import { HOUR } from '#kernel/clock.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { sharePair, type PairRow } from '#features/pairs/pairs.ts';
import type { ExchangeContext } from '../context.ts';
import { accountLimitViolation } from '../quotes/customer-limits.ts';
import { openPayout } from '../records.ts';
import * as store from '../store/records.ts';
import { lockPayoutAccount } from '../store/volumes.ts';
import { payoutOf } from './complete.ts';
import { readPayout } from './create.ts';
import { finishForCustomer } from './finish.ts';
import type { InputOf } from './run.ts';
import { commitAction, lockForAction, type Locked, type Customer } from './transition.ts';

/**
 * After the submission the payout waits, so that a thief of the session does not get it at once.
 * @throws Refusal 422 by answer; 409 `limit_exceeded`; as the table of actions says
 */
export async function changePayout(
  context: ExchangeContext,
  tx: Tx,
  customer: Customer,
  { number, version, payout_fields: answers }: InputOf<typeof changePayoutFields>,
): Promise<{ data: ExchangeView }> {
  const locked = await lockForAction(context, tx, customer, 'change_payout', { number, version });
  const { exchange, facts, records } = locked;
  const pair = await sharePair(tx, exchange.pair_id);
  if (!pair) throw new Error('The pair of an exchange exists.');
  const payout = readPayout(pair, answers);
  await requireAccountLimits(context, tx, locked, { pair, account: payout.payout_account_key });
  const waitsUntil = new Date(facts.now.getTime() + context.desk.payout_change_hours * HOUR);
  const changed = await commitAction(tx, locked, {
    set: {
      ...payout,
      payout_history: [
        ...exchange.payout_history,
        { until: facts.now.toISOString(), fields: exchange.payout_fields },
      ],
      ...(exchange.state === 'awaiting_payment'
        ? {}
        : { payout_changed_at: facts.now, payout_waits_until: waitsUntil }),
    },
  });
  const open = openPayout(records);
  if (open) {
    await store.updatePayout(tx, open.id, { state: 'cancelled' });
    await store.insertPayout(tx, payoutOf(changed.exchange, facts.now));
  }
  return finishForCustomer(context, tx, changed);
}

/** Creation counts what goes to one account; a change must not lead around that. */
async function requireAccountLimits(
  { desk }: ExchangeContext,
  tx: Tx,
  { exchange, facts }: Locked,
  { pair, account }: { readonly pair: PairRow; readonly account: string | null },
): Promise<void> {
  if (account === null || account === exchange.payout_account_key) return;
  await lockPayoutAccount(tx, account);
  const ask = { pair, price: exchange, account, now: facts.now };
  const violation = await accountLimitViolation(tx, desk, ask);
  if (violation !== null) throw new Refusal(409, 'limit_exceeded', violation);
}
