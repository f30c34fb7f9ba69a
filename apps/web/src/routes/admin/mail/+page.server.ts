import { getMailStatus, listEmails } from '@cambist/contract/email';
import { readMailQuery } from './mail-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readMailQuery(new URLSearchParams(url.search)), per_page: 50 };
  const [status, emails] = await Promise.all([
    locals.call(getMailStatus),
    locals.call(listEmails, { query }),
  ]);
  return { query, status: status.data, emails };
};
