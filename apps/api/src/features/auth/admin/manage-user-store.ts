/** Who is left to run the desk. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { UserRow } from '../store.ts';

/** Held until the transaction ends by whoever changes what admins may do. */
export async function lockStanding(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('standing of admins', 0))`.execute(tx);
}

/** Whether somebody beside this person has these permissions and a way to sign in; `providers` are those that open. */
export async function hasFullAdminBeside(
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

/** Admins with this permission whose address is proved, by name. */
export async function listAdminsWith(
  db: Db | Tx,
  permission: string,
  limit: number,
): Promise<UserRow[]> {
  return (
    db
      .selectFrom('users')
      .selectAll()
      // Written out, so that the planner knows the index of the few.
      .where(sql<boolean>`role = 'admin'`)
      .where(sql<boolean>`permissions @> ${[permission]}::text[]`)
      .where('disabled_at', 'is', null)
      .where('email_verified_at', 'is not', null)
      .orderBy('name')
      .orderBy('id')
      .limit(limit)
      .execute()
  );
}
