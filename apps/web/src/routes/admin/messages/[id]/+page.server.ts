import { getContactSubmission } from '@cambist/contract/contact';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const { data, sender } = await locals.call(getContactSubmission, { params });
  return { message: data, sender };
};
