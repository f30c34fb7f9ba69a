import { emailStates, getMailStatus, listEmails } from '@cambist/contract/email';
import { readListQuery } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = readListQuery(emailStates, url);
  const { q, ...state } = query;
  const asked = { ...state, ...(q ? { recipient: q } : {}), per_page: 50 };
  const [status, emails] = await Promise.all([
    locals.call(getMailStatus),
    locals.call(listEmails, { query: asked }),
  ]);
  return { query, asked, status: status.data, emails };
};
