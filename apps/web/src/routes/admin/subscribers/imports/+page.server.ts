import { listSubscriberImports } from '@cambist/contract/subscriber-imports';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  imports: (await locals.call(listSubscriberImports)).data,
});
