import { signIn } from '@cambist/contract/accounts';
import { afterSignIn } from '#lib/account/after-sign-in.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  providers: await offeredProviders(locals.call),
});

export const actions = {
  default: apiAction<typeof signIn>({
    endpoint: signIn,
    read: (form) => ({
      body: {
        email: String(form.get('email') ?? ''),
        password: String(form.get('password') ?? ''),
        remember: form.get('remember') === 'on',
      },
    }),
    done: (answer, { url }) => afterSignIn(answer, url.searchParams.get('next')),
  }),
} satisfies Actions;
