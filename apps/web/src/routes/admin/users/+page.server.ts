import { listUsers, userStates } from '@cambist/contract/users';
import { readListQuery } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readListQuery(userStates, url), per_page: 50 };
  return { query, users: await locals.call(listUsers, { query }) };
};
