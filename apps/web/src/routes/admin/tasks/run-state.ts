/** How a run of a task stands. Pure. */
import { TASK_LOST_AFTER_MS, type ScheduledTask, type TaskRun } from '@cambist/contract/tasks';

export type RunState = 'done' | 'failed' | 'running' | 'lost';

export function runState(
  { outcome, started_at }: Pick<TaskRun, 'outcome' | 'started_at'>,
  now: number,
): RunState {
  if (outcome !== null) return outcome;
  // In either direction, as the service sees it: its clock may have been ahead.
  return Math.abs(now - Date.parse(started_at)) > TASK_LOST_AFTER_MS ? 'lost' : 'running';
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
