import { redirect } from '@sveltejs/kit';
import { getTwoFactorChallenge, twoFactorChallenge } from '@cambist/contract/second-factor';
import { everyMethod } from '#lib/account/second-step.ts';
import { afterSignIn } from '#lib/after-signin.ts';
import { ApiError } from '#lib/api.ts';
import { apiAction, personOf } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Whoever comes back to this page may have begun again meanwhile, also in another tab. */
export const load: PageServerLoad = async ({ locals }) => {
  try {
    return (await locals.call(getTwoFactorChallenge)).data;
  } catch (error) {
    // The proof itself will tell: nobody is kept from it.
    if (!(error instanceof ApiError)) throw error;
    return { waiting: true, methods: everyMethod, person: null, email: null };
  }
};

export const actions = {
  default: apiAction<typeof twoFactorChallenge>({
    endpoint: twoFactorChallenge,
    read: (form, { locals: { user }, url }) => {
      // Pressed twice, the form has let this person in already.
      if (user !== null && personOf(form).person === user.id) {
        redirect(303, afterSignIn({ data: user }, url.searchParams.get('next')));
      }
      const recovery_code = form.get('recovery_code');
      if (recovery_code !== null) return { body: { recovery_code: String(recovery_code).trim() } };
      return { body: { code: String(form.get('code') ?? '').trim() } };
    },
    done: (answer, { url }) => afterSignIn(answer, url.searchParams.get('next')),
  }),
} satisfies Actions;
