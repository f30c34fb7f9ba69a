/** What a feature gives the application: its ways in and its scheduled tasks. */
import type { Deps } from './deps.ts';
import type { Task } from './scheduler.ts';
import type { JobHandler } from './jobs.ts';
import type { Ways } from './serve.ts';

export interface Feature {
  readonly name: string;
  readonly routes?: (ways: Ways, deps: Deps) => void;
  readonly tasks?: (deps: Deps) => readonly Task[];
  /** Handlers of jobs by queue name; a job may run more than once. */
  readonly jobs?: (deps: Deps) => Readonly<Record<string, JobHandler>>;
}
