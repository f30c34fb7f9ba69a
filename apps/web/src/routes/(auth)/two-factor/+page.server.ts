import { twoFactorChallenge } from '@cambist/contract/second-factor';
import { afterSignIn } from '#lib/after-signin.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

export const actions = {
  default: apiAction<typeof twoFactorChallenge>({
    endpoint: twoFactorChallenge,
    read: (form) => {
      const recovery_code = form.get('recovery_code');
      if (recovery_code !== null) return { body: { recovery_code: String(recovery_code).trim() } };
      return { body: { code: String(form.get('code') ?? '').trim() } };
    },
    done: (answer, { url }) => afterSignIn(answer, url.searchParams.get('next')),
  }),
} satisfies Actions;
