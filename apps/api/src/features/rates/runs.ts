/** The list of runs, and a run by an admin. */
import type { AttemptOutcome, RateRun, RejectionReason } from '@cambist/contract/rates';
import type { By } from '#kernel/actor.ts';
import { Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import type { Db } from '#platform/db/database.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import { labelOf } from './providers/list.ts';
import * as store from './store.ts';
import { synchronise, type SyncDeps } from './sync.ts';

const PER_PAGE = 25;

/** @throws Refusal 409 `rates_disabled`, `run_in_progress` */
export async function runNow(deps: SyncDeps, by: By): Promise<RateRun> {
  const run = await synchronise(deps, { trigger: 'admin', actorId: by.actor.id });
  if (run === 'disabled')
    throw new Refusal(
      409,
      'rates_disabled',
      'The synchronisation is switched off in the settings.',
    );
  if (run === 'in_progress')
    throw new Refusal(
      409,
      'run_in_progress',
      'A run is in progress. Its outcome will be listed in a moment.',
    );
  await record(deps.db, {
    ...by,
    action: 'rates.run',
    subject_kind: 'rate-run',
    subject_id: run.id,
    data: { outcome: run.outcome },
  });
  return runView(run);
}

/** One page, the newest first. @throws Refusal 422 on `cursor` */
export async function listRuns(
  db: Db,
  { per_page = PER_PAGE, ...query }: ListQuery,
): Promise<{ data: RateRun[]; meta: { next_cursor: string | null; per_page: number } }> {
  const ask = askOf({ ...query, per_page });
  const rows = await store.listRuns(db, ask.after, ask.limit);
  const { page, meta } = pageOf(rows, ask, ({ started_at }) => started_at);
  return { data: page.map(runView), meta };
}

export function runView(run: store.RunRow): RateRun {
  const { started_at, finished_at, actor_id: _actor, ...rest } = run;
  return {
    ...rest,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    attempts: run.attempts.map((attempt) => {
      const outcome = attempt.outcome as AttemptOutcome;
      return { ...attempt, outcome, label: labelOf(attempt.provider) };
    }),
    rejections: run.rejections.map((rejection) => {
      return { ...rejection, reason: rejection.reason as RejectionReason };
    }),
  };
}
