/** Postings for tests of the ledger alone, without the exchanges that they would belong to. */
import { newId } from '#kernel/id.ts';
import { transaction, type Db } from '#platform/db/database.ts';
import * as ledger from '#features/ledger/ledger.ts';
import { adjustment } from '#features/ledger/postings.ts';

/** Of what no exchange is concerned with. */
export const head = {
  exchange_id: null,
  cause: null,
  reference: null,
  reason: 'a test',
  actor_id: null,
};

/** Of an exchange of its own. */
export function exchangeHead() {
  const exchange_id = newId();
  return { ...head, exchange_id, cause: `event:${exchange_id}` };
}

export async function addLedgerCurrency(db: Db, unit: string, decimals = 2): Promise<string> {
  const id = newId();
  await db
    .insertInto('currencies')
    .values({
      id,
      slug: unit.toLowerCase(),
      unit,
      name: unit,
      symbol: unit.slice(0, 4),
      channel: 'Bank transfer',
      kind: 'bank',
      decimals,
      export_code: unit,
      sender_fields: [],
      payout_fields: [],
    })
    .execute();
  return id;
}

export function stockLedger(db: Db, currencyId: string, amount: bigint): Promise<void> {
  return transaction(db, (tx) =>
    ledger.post(tx, { ...head, kind: 'adjustment' }, adjustment(currencyId, amount)),
  );
}

export async function ledgerBalances(db: Db, currencyId: string): Promise<Record<string, bigint>> {
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance'])
    .where('currency_id', '=', currencyId)
    .where('balance', '<>', 0n)
    .execute();
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

export function figures(send: string, receive: string, payout: bigint) {
  return {
    send_currency_id: send,
    receive_currency_id: receive,
    send_minor: 1000n,
    send_fee_minor: 10n,
    payout_minor: payout,
    receive_fee_minor: 5n,
    mid_value_minor: payout + 25n,
  };
}

export function holdOf(db: Db, payout: bigint, send: string, receive: string) {
  return transaction(db, (tx) =>
    ledger.post(
      tx,
      { ...exchangeHead(), kind: 'hold' },
      ledger.hold(figures(send, receive, payout)),
    ),
  );
}
