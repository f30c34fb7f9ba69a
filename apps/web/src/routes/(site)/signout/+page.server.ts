/** Signing out is a deed, so it takes a POST; a GET only asks. */
import { redirect } from '@sveltejs/kit';
import { signOut } from '@cambist/contract/accounts';
import type { Actions } from './$types.js';

export const actions: Actions = {
  default: async ({ locals }) => {
    await locals.call(signOut);
    redirect(303, '/');
  },
};
