import {
  getLegalPageCopy,
  getLegalPageDraft,
  getLegalPageVersion,
  restoreLegalPage,
  restoreLegalPageCopy,
} from '@cambist/contract/legal-page-writing';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { id }, url }) => {
  const asked = (name: string) => {
    const text = new URLSearchParams(url.search).get(name) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  };
  const number = asked('number');
  const copy = asked('copy');
  const [page, version, kept] = await Promise.all([
    locals.call(getLegalPageDraft, { params: { id } }),
    number === null ? null : locals.call(getLegalPageVersion, { params: { id, number } }),
    copy === null ? null : locals.call(getLegalPageCopy, { params: { id, number: copy } }),
  ]);
  return { page: page.data, chosen: version?.data ?? null, copy: kept?.data ?? null };
};

const read = (form: FormData, { params }: { params: Partial<Record<string, string>> }) => ({
  params: { id: params['id'] ?? '', number: Number(form.get('number')) },
  body: { version: Number(form.get('version')) },
});
const done = ({ data }: { data: { id: string } }) => `/admin/legal-pages/${data.id}`;

export const actions = {
  version: apiAction<typeof restoreLegalPage>({ endpoint: restoreLegalPage, read, done }),
  copy: apiAction<typeof restoreLegalPageCopy>({ endpoint: restoreLegalPageCopy, read, done }),
} satisfies Actions;
