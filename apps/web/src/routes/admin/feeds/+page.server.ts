import { feedOverview } from '@cambist/contract/feeds';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  feeds: (await locals.call(feedOverview)).data,
});
