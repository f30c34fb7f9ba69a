import { listTasks } from '@cambist/contract/tasks';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  tasks: (await locals.call(listTasks)).data,
});
