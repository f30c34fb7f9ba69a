/** Queries about admins. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { UserRow } from '../store.ts';

/** Serializes changes of what admins may do until the transaction ends: see `requireAnotherAdmin`. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('admins', 0))`.execute(tx);
}

/** Locks the row, so that two concurrent commands for one address run one after the other. */
export async function lockUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether another active admin has these permissions and a way to sign in; `providers` are those configured. */
export async function hasOtherFullAdmin(
  tx: Tx,
  id: Id,
  { permissions, providers }: { permissions: readonly string[]; providers: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from users u
      where u.id <> ${id} and u.role = 'admin' and u.disabled_at is null
        and u.permissions @> ${[...permissions]}::text[]
        and (u.password_hash is not null
          or exists (select from passkeys p where p.user_id = u.id)
          or exists (select from identities i
            where i.user_id = u.id and i.provider = any(${[...providers]}::text[])))) as found`.execute(
    tx,
  );
  return rows[0]?.found ?? false;
}

/** Active admins with this permission. `role` is a literal, so that the planner can use their partial index. */
const adminsWith = (db: Db | Tx, permission: string) =>
  db
    .selectFrom('users')
    .where(sql<boolean>`role = 'admin'`)
    .where(sql<boolean>`permissions @> ${[permission]}::text[]`)
    .where('disabled_at', 'is', null);

/** Active admins with this permission and a verified address, by name. */
export async function listAdminsWith(
  db: Db | Tx,
  permission: string,
  limit: number,
): Promise<UserRow[]> {
  return adminsWith(db, permission)
    .selectAll()
    .where('email_verified_at', 'is not', null)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Operators whose last digest was before its last hour or morning, locked against another process. */
export async function lockDigestDue(
  tx: Tx,
  last: { readonly hourly: Date; readonly daily: Date },
): Promise<(UserRow & { desk_digest_at: Date })[]> {
  return adminsWith(tx, 'desk')
    .selectAll()
    .where('email_verified_at', 'is not', null)
    .where(
      sql<boolean>`desk_digest_at < case desk_digest
        when 'hourly' then ${last.hourly}::timestamptz when 'daily' then ${last.daily} end`,
    )
    .forNoKeyUpdate()
    .skipLocked()
    .$castTo<UserRow & { desk_digest_at: Date }>()
    .execute();
}

export async function markDigest(tx: Tx, id: Id, desk_digest_at: Date): Promise<void> {
  await tx.updateTable('users').set({ desk_digest_at }).where('id', '=', id).execute();
}

/** Active admins with this permission, verified or not. */
export async function countAdminsWith(db: Db | Tx, permission: string): Promise<number> {
  const { count } = await adminsWith(db, permission)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
