/** Writes rows of pg-boss within the caller's transaction. */
import { sql as query } from 'kysely';
import type { Tx } from '#platform/db/database.ts';

export interface KeyedJob {
  readonly key: string;
  readonly data: Record<string, unknown>;
}

export type NewJob = Pick<KeyedJob, 'data'> & { readonly key: string | null };

/**
 * Writes the rows as pg-boss 12 would, but in the caller's transaction and without its cache. False when there
 * is no such queue yet. Replacing a waiting job locks it until the commit, so no worker takes the old data.
 */
export async function insertJobs(
  tx: Tx,
  queue: string,
  jobs: readonly NewJob[],
  startAfter?: Date,
): Promise<boolean> {
  const { rows } = await query`
    insert into jobs.job_common as job (
      name, data, policy, singleton_key, start_after, keep_until, expire_seconds, deletion_seconds,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter, heartbeat_seconds)
    select name, each.data, policy, coalesce(each.key, gen_random_uuid()::text), start_after,
      start_after + retention_seconds * interval '1 second', expire_seconds, deletion_seconds,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter, heartbeat_seconds
    from jobs.queue, coalesce(${startAfter ?? null}::timestamptz, now()) as start_after,
      jsonb_to_recordset(${JSON.stringify(jobs)}::text::jsonb) as each (key text, data jsonb)
    where name = ${queue}
    -- One order of locking.
    order by each.key
    on conflict (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'
      do update set data = excluded.data, start_after = least(job.start_after, excluded.start_after)
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function createQueue(
  tx: Tx,
  queue: string,
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const settings = JSON.stringify(options);
  await query`select jobs.create_queue(${queue}, ${settings}::text::jsonb)`.execute(tx);
}
