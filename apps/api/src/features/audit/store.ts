/** What the audit log remembers. */
import type { Insertable } from 'kysely';
import type { Db, Tx } from '#platform/database.ts';
import type { AuditEventsTable } from '#platform/tables.ts';

export async function insertAuditEvent(
  db: Tx | Db,
  event: Insertable<AuditEventsTable>,
): Promise<void> {
  await db.insertInto('audit_events').values(event).execute();
}
