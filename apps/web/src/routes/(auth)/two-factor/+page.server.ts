import { redirect } from '@sveltejs/kit';
import { getTwoFactorChallenge, twoFactorChallenge } from '@cambist/contract/second-factor';
import { afterSignIn, everyMethod } from '#lib/account/after-sign-in.ts';
import { ApiError } from '#lib/api/client.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  try {
    return (await locals.call(getTwoFactorChallenge)).data;
  } catch (error) {
    // The user may still try: the API checks the code anyway.
    if (!(error instanceof ApiError)) throw error;
    return { waiting: true, methods: [...everyMethod], email: null };
  }
};

export const actions = {
  default: apiAction<typeof twoFactorChallenge>({
    endpoint: twoFactorChallenge,
    read: (form, { locals: { user }, url }) => {
      // A second press after the first one has signed in.
      if (user !== null) redirect(303, afterSignIn({ data: user }, url.searchParams.get('next')));
      const recovery_code = form.get('recovery_code');
      if (recovery_code !== null) return { body: { recovery_code: String(recovery_code).trim() } };
      return { body: { code: String(form.get('code') ?? '').trim() } };
    },
    done: (answer, { url }) => afterSignIn(answer, url.searchParams.get('next')),
  }),
} satisfies Actions;
