/** What a feature adds to the application: routes, scheduled tasks and job handlers. */
import type { Deps } from './deps.ts';
import { allTasks, type Task } from './jobs/scheduler.ts';
import type { JobHandler, JobQueue } from './jobs/jobs.ts';
import type { Ways } from './http/serve.ts';

export interface Feature {
  readonly name: string;
  /** `tasks` are those of all features. */
  readonly routes?: (ways: Ways, deps: Deps, tasks: readonly Task[]) => void;
  readonly tasks?: (deps: Deps) => readonly Task[];
  /** Handlers of jobs by queue name; a job may run more than once. */
  readonly jobs?: (
    deps: Deps,
    tasks: readonly Task[],
  ) => Readonly<Record<string, JobHandler | JobQueue>>;
}

/** The tasks of the features and of the platform. */
export function tasksOf(features: readonly Feature[], deps: Deps): readonly Task[] {
  return allTasks(
    deps.db,
    features.flatMap((feature) => feature.tasks?.(deps) ?? []),
  );
}

export function jobsOf(
  features: readonly Feature[],
  deps: Deps,
): Readonly<Record<string, JobHandler | JobQueue>> {
  const tasks = tasksOf(features, deps);
  return Object.assign({}, ...features.map((feature) => feature.jobs?.(deps, tasks) ?? {}));
}
