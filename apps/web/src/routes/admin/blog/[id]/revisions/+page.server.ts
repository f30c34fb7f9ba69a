import {
  getDraft,
  getRevision,
  listRevisions,
  restoreRevision,
} from '@cambist/contract/blog-writing';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const { id } = params;
  const asked = new URLSearchParams(url.search).get('number') ?? '';
  const number = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : null;
  const [post, revisions, chosen] = await Promise.all([
    locals.call(getDraft, { params: { id } }),
    locals.call(listRevisions, { params: { id } }),
    number === null ? null : locals.call(getRevision, { params: { id, number } }),
  ]);
  return { post: post.data, revisions, chosen: chosen?.data ?? null };
};

export const actions = {
  default: apiAction<typeof restoreRevision>({
    endpoint: restoreRevision,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '', number: Number(form.get('number')) },
      body: { version: Number(form.get('version')) },
    }),
    done: ({ data }) => `/admin/blog/${data.id}`,
  }),
} satisfies Actions;
