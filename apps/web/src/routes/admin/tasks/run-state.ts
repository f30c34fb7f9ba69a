/** How a run of a task stands. Pure. */
import type { ScheduledTask, TaskRun } from '@cambist/contract/tasks';

export type RunState = 'done' | 'failed' | 'running' | 'lost';

/** No task works for so long: the process of such a run has ended. */
const LOST_AFTER_MS = 60 * 60 * 1000;

export function runState(
  { outcome, started_at }: Pick<TaskRun, 'outcome' | 'started_at'>,
  now: number,
): RunState {
  if (outcome !== null) return outcome;
  return now - Date.parse(started_at) > LOST_AFTER_MS ? 'lost' : 'running';
}

/** Tasks whose latest run did not come to its end well. */
export function failedTasks<Task extends Pick<ScheduledTask, 'runs'>>(
  tasks: readonly Task[],
  now: number,
): Task[] {
  return tasks.filter(({ runs: [latest] }) => {
    if (latest === undefined) return false;
    const state = runState(latest, now);
    return state === 'failed' || state === 'lost';
  });
}
