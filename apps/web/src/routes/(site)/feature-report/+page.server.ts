/** The report form: its initial page, and its action without script. */
import { createFeatureReport } from '@cambist/contract/feature-reports';
import { reportBody, reportedPage } from '#lib/contact/typed-message.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { formStamp } from '#lib/server/form-stamp.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const query = new URLSearchParams(url.search);
  return {
    page: reportedPage(query),
    sent: query.has('sent'),
    stamp: await formStamp(locals.call),
  };
};

export const actions = {
  default: apiAction<typeof createFeatureReport>({
    endpoint: createFeatureReport,
    read: (form) => ({ body: reportBody(form) }),
    done: () => '/feature-report?sent=1',
  }),
} satisfies Actions;
