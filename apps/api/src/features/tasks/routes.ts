/**
 * Routes of scheduled tasks: the list with the last runs, and "run now", which enqueues a job, so that no request
 * waits for it and a stopping process ends it first.
 */
import { listTasks, runTask } from '@cambist/contract/tasks';
import type { Feature } from '#platform/feature.ts';
import { askFor, list, runAsked, TASK_RUNS } from './tasks.ts';

export const tasks: Feature = {
  name: 'tasks',
  routes({ admin }, deps, all) {
    admin.serve(listTasks, async () => ({ data: await list(deps, all) }));
    admin.serve(runTask, async ({ params, actor, origin }) => ({
      data: await askFor(deps, all, { actor, origin }, params.name),
    }));
  },
  jobs: (deps, all) => ({
    [TASK_RUNS]: (data, { stopping }) => runAsked(deps, all, data, stopping),
  }),
};
