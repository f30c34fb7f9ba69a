/** Runs of scheduled tasks, which the platform writes. */
import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { TaskRunsTable } from '#platform/db/tables.generated.ts';

export type RunRow = Selectable<TaskRunsTable> & { readonly asker: string | null };

/** The latest runs of each task. */
export async function listRuns(db: Db, tasks: readonly string[], limit: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.*, u.name as asker
    from jsonb_array_elements_text(${JSON.stringify(tasks)}::text::jsonb) as t(name)
    cross join lateral (
      select * from task_runs where task = t.name order by slot desc limit ${limit}) as r
    left join users as u on u.id = r.asked_by
    order by r.task, r.slot desc`.execute(db);
  return rows;
}

export async function findRun(db: Db | Tx, task: string, slot: Date): Promise<RunRow | undefined> {
  return db
    .selectFrom('task_runs as r')
    .leftJoin('users as u', 'u.id', 'r.asked_by')
    .selectAll('r')
    .select('u.name as asker')
    .where('r.task', '=', task)
    .where('r.slot', '=', slot)
    .executeTakeFirst();
}
