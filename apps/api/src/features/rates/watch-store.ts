/** What admins were told of the rates' age: all SQL on `rate_watch`, one row. */
import type { Tx } from '#platform/database.ts';
import type { RateWatchTable } from '#platform/tables.generated.ts';

type State = RateWatchTable['state'];

/** The state that was told last. Until the transaction ends nobody else tells anything. */
export async function lockState(tx: Tx, now: Date): Promise<State> {
  await tx
    .insertInto('rate_watch')
    .values({ state: 'live', changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { state } = await tx
    .selectFrom('rate_watch')
    .select('state')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return state;
}

export async function updateState(tx: Tx, state: State, now: Date): Promise<void> {
  await tx.updateTable('rate_watch').set({ state, changed_at: now }).execute();
}
