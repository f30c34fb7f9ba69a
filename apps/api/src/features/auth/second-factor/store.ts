/** Second factors: authenticator apps, passkeys and recovery codes. */
import type { Insertable, Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { PasskeysTable, TotpFactorsTable } from '#platform/db/tables.generated.ts';

export type PasskeyRow = Selectable<PasskeysTable>;
export type TotpRow = Selectable<TotpFactorsTable>;

export async function updateTwoFactorSince(tx: Tx, userId: Id, since: Date | null): Promise<void> {
  await tx.updateTable('users').set({ two_factor_at: since }).where('id', '=', userId).execute();
}

export async function findTotp(db: Db | Tx, userId: Id): Promise<TotpRow | undefined> {
  return db.selectFrom('totp_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Whether the user has a confirmed authenticator app. */
export async function hasTotp(db: Db | Tx, userId: Id): Promise<boolean> {
  const totp = await findTotp(db, userId);
  return totp !== undefined && totp.confirmed_at !== null;
}

/** Replaces a secret that was never confirmed; false when there is a confirmed one. */
export async function upsertNewTotp(
  tx: Tx,
  totp: Pick<TotpRow, 'user_id' | 'sealed' | 'created_at'>,
): Promise<boolean> {
  const upserted = await tx
    .insertInto('totp_factors')
    .values({ ...totp, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed: totp.sealed, created_at: totp.created_at })
        .where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return upserted !== undefined;
}

export async function updateTotpConfirmed(
  tx: Tx,
  userId: Id,
  { now, step }: { readonly now: Date; readonly step: number },
): Promise<void> {
  await tx
    .updateTable('totp_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', userId)
    .execute();
}

/** True for one caller only: a step works once, and no earlier step works after it. */
export async function takeTotpStep(db: Db | Tx, userId: Id, step: number): Promise<boolean> {
  const taken = await db
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** False when there was no confirmed one. */
export async function deleteTotp(tx: Tx, userId: Id): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('totp_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return deleted !== undefined && deleted.confirmed_at !== null;
}

export async function replaceRecoveryCodes(
  tx: Tx,
  userId: Id,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, used_at: null })))
    .execute();
}

/** True for one caller only. */
export async function takeRecoveryCode(
  db: Db | Tx,
  userId: Id,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const taken = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function countRecoveryCodes(db: Db | Tx, userId: Id): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function listPasskeys(db: Db | Tx, userId: Id): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** Undefined when this credential is already registered, for any user. */
export async function insertPasskey(
  tx: Tx,
  passkey: Insertable<PasskeysTable>,
): Promise<PasskeyRow | undefined> {
  return tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** False when the counter has changed meanwhile, which a copied passkey would cause. */
export async function takePasskeyUse(
  db: Db,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  const taken = await db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: now })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deletePasskey(tx: Tx, userId: Id, id: Id): Promise<PasskeyRow | undefined> {
  return tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteFactors(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await deleteTotp(tx, userId);
  await replaceRecoveryCodes(tx, userId, []);
  await updateTwoFactorSince(tx, userId, null);
}
