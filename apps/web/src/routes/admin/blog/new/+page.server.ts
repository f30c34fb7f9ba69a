import { createPost } from '@cambist/contract/blog-writing';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = () => ({ once: crypto.randomUUID() });

export const actions = {
  default: apiAction<typeof createPost>({
    endpoint: createPost,
    read: (form) => ({ body: { title: String(form.get('title') ?? '') } }),
    done: ({ data }) => `/admin/blog/${data.id}`,
  }),
} satisfies Actions;
