/** Who is left to run the desk. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';

/** Held until the transaction ends by whoever changes what admins may do. */
export async function lockStanding(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('standing of admins', 0))`.execute(tx);
}

/** Whether somebody beside this person has these permissions and a way to sign in. */
export async function hasFullAdminBeside(
  tx: Tx,
  id: Id,
  permissions: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from users u
      where u.id <> ${id} and u.role = 'admin' and u.disabled_at is null
        and u.permissions @> ${[...permissions]}::text[]
        and (u.password_hash is not null
          or exists (select from passkeys p where p.user_id = u.id)
          or exists (select from identities i where i.user_id = u.id))) as found`.execute(tx);
  return rows[0]?.found ?? false;
}
