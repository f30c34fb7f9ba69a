import {
  bringBackLegalPage,
  getLegalPageDraft,
  getLegalPageVersion,
  publishLegalPage,
  saveLegalPage,
} from '@cambist/contract/legal-page-writing';
import { sentVersion } from '#lib/admin/sent-form.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { takeLeftOut, tellLeftOut } from '#lib/server/left-out.ts';
import { sentContent } from '../page-form.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { id }, cookies, url }) => {
  const { data: page } = await locals.call(getLegalPageDraft, { params: { id } });
  const number = page.versions[0]?.version;
  const last =
    number === undefined
      ? null
      : await locals.call(getLegalPageVersion, { params: { id, number } });
  const removed = takeLeftOut({ cookies, url });
  return { page, latest: last?.data.content ?? null, removed };
};

/** For forms that were sent before the script had come. */
export const actions = {
  save: apiAction<typeof saveLegalPage>({
    endpoint: saveLegalPage,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '' },
      body: { version: sentVersion(form), content: sentContent(form) },
    }),
    done: ({ data }, event) => tellLeftOut(data.removed, `/admin/legal-pages/${data.id}`, event),
  }),
  publish: apiAction<typeof publishLegalPage>({
    endpoint: publishLegalPage,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '' },
      body: { version: Number(form.get('version')) },
    }),
    done: ({ data }) => `/admin/legal-pages/${data.id}`,
  }),
  back: apiAction<typeof bringBackLegalPage>({
    endpoint: bringBackLegalPage,
    read: (_form, { params }) => ({ params: { id: params['id'] ?? '' } }),
    done: ({ data }) => `/admin/legal-pages/${data.id}`,
  }),
} satisfies Actions;
