import { converter } from '@cambist/contract/pairs';
import type { PageServerLoad } from './$types.js';

/** The desk as it stands. What was entered lives in the address and in the tab. */
export const load: PageServerLoad = async ({ locals }) => {
  const { data } = await locals.call(converter);
  return { desk: data };
};
