/** Shown after an account was deleted; signed-in users are redirected. */
import { redirect } from '@sveltejs/kit';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = ({ locals }) => {
  if (locals.user !== null) redirect(303, '/account');
};
