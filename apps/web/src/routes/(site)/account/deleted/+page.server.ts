/** Where a deleted account leaves its person; whoever still has one is not told that it is gone. */
import { redirect } from '@sveltejs/kit';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = ({ locals }) => {
  if (locals.user !== null) redirect(303, '/account');
};
