import { getDraft } from '@cambist/contract/blog-writing';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => ({
  post: (await locals.call(getDraft, { params: { id: params.id } })).data,
});
