import { createPost } from '@cambist/contract/blog-writing';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

export const actions = {
  default: apiAction<typeof createPost>({
    endpoint: createPost,
    read: (form) => ({ body: { title: String(form.get('title') ?? '') } }),
    done: ({ data }) => `/admin/blog/${data.id}`,
  }),
} satisfies Actions;
