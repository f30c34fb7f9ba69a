import { listUsers } from '@cambist/contract/users';
import { readUsersQuery } from './users-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readUsersQuery(new URLSearchParams(url.search)), per_page: 50 };
  return { query, users: await locals.call(listUsers, { query }) };
};
