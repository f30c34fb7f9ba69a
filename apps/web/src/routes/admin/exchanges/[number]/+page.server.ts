import { getDeskExchange } from '@cambist/contract/desk';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const { data } = await locals.call(getDeskExchange, { params: { number: params.number } });
  return { exchange: data };
};
