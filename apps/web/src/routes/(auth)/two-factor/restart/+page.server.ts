/** Beginning a sign-in again ends the one that waits for its second step; a GET only leads to the first one. */
import { redirect } from '@sveltejs/kit';
import { endTwoFactorChallenge } from '@cambist/contract/second-factor';
import { keepNext } from '#lib/account/keep-next.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = ({ url }) => redirect(303, keepNext('/signin', url));

export const actions: Actions = {
  default: async ({ locals, url }) => {
    await locals.call(endTwoFactorChallenge);
    redirect(303, keepNext('/signin', url));
  },
};
