/** Beginning a sign-in again ends the one that waits for its second step; a GET only leads to the first one. */
import { redirect } from '@sveltejs/kit';
import { endTwoFactorChallenge } from '@cambist/contract/second-factor';
import { keepNext } from '#lib/account/keep-next.ts';
import { afterSignIn } from '#lib/account/after-signin.ts';
import { ApiError } from '#lib/api/client.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = ({ locals, url }) => {
  if (locals.user === null) redirect(303, keepNext('/signin', url));
};

export const actions: Actions = {
  default: async ({ locals: { call, user }, url }) => {
    // Another tab has signed in meanwhile.
    if (user !== null) redirect(303, afterSignIn({ data: user }, url.searchParams.get('next')));
    try {
      await call(endTwoFactorChallenge);
    } catch (error) {
      // What cannot be ended now ends by itself in ten minutes: nobody is kept from beginning again.
      if (!(error instanceof ApiError)) throw error;
    }
    redirect(303, keepNext('/signin', url));
  },
};
