/** What the log keeps of what was done. */
import type { TestApi } from '#test/harness.ts';

/** The data of the one event of this action upon somebody. */
export async function notedOf({ db }: TestApi, userId: string, action: string): Promise<object> {
  const { data } = await db
    .selectFrom('audit_events')
    .select('data')
    .where('subject_id', '=', userId)
    .where('action', '=', action)
    .executeTakeFirstOrThrow();
  return data;
}
