import { redirect } from '@sveltejs/kit';
import { getTwoFactorChallenge, twoFactorChallenge } from '@cambist/contract/second-factor';
import { everyMethod } from '#lib/account/second-step.ts';
import { afterSignIn } from '#lib/account/after-signin.ts';
import { ApiError } from '#lib/api/client.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  try {
    return (await locals.call(getTwoFactorChallenge)).data;
  } catch (error) {
    // The proof itself is answered by the service: this page keeps no one from trying it.
    if (!(error instanceof ApiError)) throw error;
    return { waiting: true, methods: [...everyMethod], email: null };
  }
};

export const actions = {
  default: apiAction<typeof twoFactorChallenge>({
    endpoint: twoFactorChallenge,
    read: (form, { locals: { user }, url }) => {
      // Sent twice, the form has signed in already.
      if (user !== null) redirect(303, afterSignIn({ data: user }, url.searchParams.get('next')));
      const recovery_code = form.get('recovery_code');
      if (recovery_code !== null) return { body: { recovery_code: String(recovery_code).trim() } };
      return { body: { code: String(form.get('code') ?? '').trim() } };
    },
    done: (answer, { url }) => afterSignIn(answer, url.searchParams.get('next')),
  }),
} satisfies Actions;
