import { getPair } from '@cambist/contract/pairs';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => ({
  pair: (await locals.call(getPair, { params: { slug: params.slug } })).data,
});
