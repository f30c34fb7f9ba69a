import { getSubscriberImport } from '@cambist/contract/subscriber-imports';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => ({
  list: (await locals.call(getSubscriberImport, { params: { id: params.id } })).data,
});
