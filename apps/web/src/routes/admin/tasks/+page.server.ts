import { listTasks } from '@cambist/contract/tasks';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const tasks = await locals.call(listTasks);
  return { tasks: tasks.data };
};
