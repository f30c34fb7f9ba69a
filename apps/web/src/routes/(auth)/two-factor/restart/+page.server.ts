/** Beginning a sign-in again ends the one that waits for its second step; a GET only leads to the first one. */
import { redirect } from '@sveltejs/kit';
import { endTwoFactorChallenge } from '@cambist/contract/second-factor';
import { keepNext } from '#lib/account/keep-next.ts';
import { secondStepPath } from '#lib/account/second-step.ts';
import { afterSignIn } from '#lib/after-signin.ts';
import { ApiError } from '#lib/api.ts';
import { personOf } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = ({ locals, url }) => {
  if (locals.user === null) redirect(303, keepNext('/signin', url));
};

export const actions: Actions = {
  default: async ({ locals: { call, user }, request, url }) => {
    const named = personOf(await request.formData());
    if (user !== null && named.person === user.id) {
      redirect(303, afterSignIn({ data: user }, url.searchParams.get('next')));
    }
    // Another who has signed in in another tab meanwhile stays, and the step's page says who it is.
    if (user !== null) redirect(303, secondStepPath(url.searchParams.get('next'), named));
    try {
      await call(endTwoFactorChallenge, named);
    } catch (error) {
      // What cannot be ended now ends by itself in ten minutes: nobody is kept from beginning again.
      if (!(error instanceof ApiError)) throw error;
    }
    redirect(303, keepNext('/signin', url));
  },
};
