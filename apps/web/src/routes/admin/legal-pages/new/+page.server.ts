import { createLegalPage } from '@cambist/contract/legal-page-writing';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = () => ({ once: crypto.randomUUID() });

export const actions = {
  default: apiAction<typeof createLegalPage>({
    endpoint: createLegalPage,
    read: (form) => {
      const slug = String(form.get('slug') ?? '').trim();
      return { body: { title: String(form.get('title') ?? ''), ...(slug === '' ? {} : { slug }) } };
    },
    done: ({ data }) => `/admin/legal-pages/${data.id}`,
  }),
} satisfies Actions;
