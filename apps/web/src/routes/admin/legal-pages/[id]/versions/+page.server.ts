import {
  getLegalPageDraft,
  getLegalPageVersion,
  restoreLegalPage,
} from '@cambist/contract/legal-page-writing';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
  const asked = new URLSearchParams(url.search).get('number') ?? '';
  const number = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : null;
  const [page, chosen] = await Promise.all([
    locals.call(getLegalPageDraft, { params: { id } }),
    number === null ? null : locals.call(getLegalPageVersion, { params: { id, number } }),
  ]);
  return { page: page.data, chosen: chosen?.data ?? null };
};

export const actions = {
  default: apiAction<typeof restoreLegalPage>({
    endpoint: restoreLegalPage,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '', number: Number(form.get('number')) },
      body: { version: Number(form.get('version')) },
    }),
    done: ({ data }) => `/admin/legal-pages/${data.id}`,
  }),
} satisfies Actions;
