/** Signs out by POST; a GET only asks. `next` is a path of this site. */
import { redirect } from '@sveltejs/kit';
import { signOut } from '@cambist/contract/accounts';
import { safeNext } from '#lib/account/next-path.ts';
import type { Actions } from './$types.js';

export const actions: Actions = {
  default: async ({ locals, url }) => {
    await locals.call(signOut);
    redirect(303, safeNext(url.searchParams.get('next'), '/'));
  },
};
