import { listAuditEvents } from '@cambist/contract/audit';
import { datesCross } from '#lib/format/day.ts';
import { readAuditQuery } from './audit-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = { ...readAuditQuery(new URLSearchParams(url.search)), per_page: 50 };
  // Nothing can lie between them: the page says so instead of asking.
  if (datesCross(query)) {
    return { query, crossed: true, events: { data: [], meta: { next_cursor: null } } };
  }
  return { query, crossed: false, events: await locals.call(listAuditEvents, { query }) };
};
