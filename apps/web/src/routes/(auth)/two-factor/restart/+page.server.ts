/** Ends the sign-in that waits for its second step and starts again. A GET only redirects. */
import { redirect } from '@sveltejs/kit';
import { endTwoFactorChallenge } from '@cambist/contract/second-factor';
import { keepNext } from '#lib/account/next-path.ts';
import { afterSignIn } from '#lib/account/after-sign-in.ts';
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
      // It ends by itself after ten minutes.
      if (!(error instanceof ApiError)) throw error;
    }
    redirect(303, keepNext('/signin', url));
  },
};
