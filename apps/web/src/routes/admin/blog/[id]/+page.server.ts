import { getDraft, publishPost, saveDraft } from '@cambist/contract/blog-writing';
import { sentVersion } from '#lib/admin/sent-form.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { takeLeftOut, tellLeftOut } from '#lib/server/left-out.ts';
import { sentContent } from '../post-form.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, cookies, url }) => ({
  post: (await locals.call(getDraft, { params: { id: params.id } })).data,
  removed: takeLeftOut({ cookies, url }),
});

/** For forms that were sent before the script had come. */
export const actions = {
  save: apiAction<typeof saveDraft>({
    endpoint: saveDraft,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '' },
      body: { version: sentVersion(form), content: sentContent(form), keep: true },
    }),
    done: ({ data: { id, removed } }, event) => tellLeftOut(removed, `/admin/blog/${id}`, event),
  }),
  publish: apiAction<typeof publishPost>({
    endpoint: publishPost,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '' },
      body: { version: Number(form.get('version')), publish_at: null },
    }),
    done: ({ data }) => `/admin/blog/${data.id}`,
  }),
} satisfies Actions;
