/** Unpaid exchanges past their time are ended every minute. */
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/scheduler.ts';
import { endOverdue, openWork } from './exchanges.ts';

export function overdueTask(deps: Deps): Task {
  return {
    name: 'end-overdue-exchanges',
    cron: '* * * * *',
    async run() {
      const { expired, submitted, failed } = await endOverdue(await openWork(deps));
      const done = `${expired} expired, ${submitted} submitted`;
      if (failed > 0) throw new Error(`${done}, ${failed} could not be ended; the log says why.`);
      return done;
    },
  };
}
