/** Linked identities of providers, and OAuth flows in progress. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { ProviderName } from '@cambist/contract/providers';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { IdentitiesTable, ProviderFlowsTable } from '#platform/db/tables.generated.ts';

export type IdentityRow = Selectable<IdentitiesTable>;
export type FlowRow = Selectable<ProviderFlowsTable>;

export async function insertFlow(db: Db, flow: Insertable<ProviderFlowsTable>): Promise<void> {
  await db.insertInto('provider_flows').values(flow).execute();
}

/** Deletes and returns the flow of this state: it works once, and only in the session that started it. */
export async function takeFlow(
  db: Db,
  key: Pick<FlowRow, 'state_hash' | 'session_hash' | 'provider'>,
  now: Date,
): Promise<FlowRow | undefined> {
  return db
    .deleteFrom('provider_flows')
    .where('state_hash', '=', key.state_hash)
    .where('session_hash', '=', key.session_hash)
    .where('provider', '=', key.provider)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteExpiredFlows(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('provider_flows')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Serializes concurrent sign-ins with the same identity. */
export async function lockIdentity(tx: Tx, provider: ProviderName, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${subject}`}, 0))`.execute(
    tx,
  );
}

export async function findIdentity(
  tx: Tx,
  provider: ProviderName,
  subject: string,
): Promise<IdentityRow | undefined> {
  return tx
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export async function listIdentities(db: Db | Tx, userId: Id): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** False when the account already has another identity of this provider. */
export async function insertIdentity(
  tx: Tx,
  identity: Insertable<IdentitiesTable>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False when it is no longer linked. */
export async function updateIdentityUse(
  tx: Tx,
  { provider, subject }: Pick<IdentityRow, 'provider' | 'subject'>,
  change: Pick<IdentityRow, 'email'> & { last_used_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identities')
    .set(change)
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deleteIdentity(tx: Tx, userId: Id, provider: ProviderName): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .returning('subject')
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function deleteIdentitiesOf(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute();
}
