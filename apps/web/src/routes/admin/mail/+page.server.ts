import { getMailStatus, listLetters } from '@cambist/contract/mail';
import { readMailQuery } from './mail-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readMailQuery(new URLSearchParams(url.search)), per_page: 50 };
  const [status, letters] = await Promise.all([
    locals.call(getMailStatus),
    locals.call(listLetters, { query }),
  ]);
  return { query, status: status.data, letters };
};
