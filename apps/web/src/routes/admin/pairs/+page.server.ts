import { listPairs } from '@cambist/contract/pairs';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  pairs: (await locals.call(listPairs)).data,
});
