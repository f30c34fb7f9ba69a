/** The devices that people are known to use. */
import { sql } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';

/** Whether it was not known yet. */
export async function rememberDevice(tx: Tx, userId: Id, hash: Buffer, now: Date) {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into known_devices (user_id, device_hash, last_used_at)
    values (${userId}, ${hash}, ${now})
    on conflict (user_id, device_hash) do update set last_used_at = excluded.last_used_at
    returning xmax = 0 as is_new`.execute(tx);
  return rows[0]?.is_new ?? false;
}

export async function deleteDevicesUsedBefore(db: Db, time: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('known_devices')
    .where('last_used_at', '<', time)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
