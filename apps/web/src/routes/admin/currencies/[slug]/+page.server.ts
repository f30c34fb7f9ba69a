import { getCurrency } from '@cambist/contract/currencies';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => ({
  currency: (await locals.call(getCurrency, { params: { slug: params.slug } })).data,
});
