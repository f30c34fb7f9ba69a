/** Unpaid exchanges past their time are ended every minute. */
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/scheduler.ts';
import { endOverdue, openWork } from './exchanges.ts';

export function overdueTask(deps: Deps): Task {
  return {
    name: 'end-overdue-exchanges',
    cron: '* * * * *',
    async run() {
      const { expired, submitted } = await endOverdue(await openWork(deps));
      return `${expired} expired, ${submitted} submitted`;
    },
  };
}
