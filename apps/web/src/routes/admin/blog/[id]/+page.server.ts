import { getDraft, publishPost, saveDraft } from '@cambist/contract/blog-writing';
import { sentVersion } from '#lib/admin/sent-form.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { sentContent } from '../post-form.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => ({
  post: (await locals.call(getDraft, { params: { id: params.id } })).data,
});

/** For forms that were sent before the script had come. */
export const actions = {
  save: apiAction<typeof saveDraft, { removed: string[] }>({
    endpoint: saveDraft,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '' },
      body: { version: sentVersion(form), content: sentContent(form), keep: true },
    }),
    done: ({ data: { id, removed } }) => (removed.length > 0 ? { removed } : `/admin/blog/${id}`),
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
