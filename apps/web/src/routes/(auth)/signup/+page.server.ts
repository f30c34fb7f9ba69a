import { signUp } from '@cambist/contract/accounts';
import { nextOfLetter } from '#lib/account/keep-next.ts';
import { safeNext } from '#lib/next-path.ts';
import { getLocale } from '#lib/paraglide/runtime.js';
import { apiAction } from '#lib/server/form-action.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  providers: await offeredProviders(locals.call),
});

export const actions = {
  default: apiAction<typeof signUp>({
    endpoint: signUp,
    read: (form, { url }) => ({
      body: {
        name: String(form.get('name') ?? '').trim(),
        email: String(form.get('email') ?? '').trim(),
        password: String(form.get('password') ?? ''),
        terms_accepted: form.get('terms_accepted') === 'on',
        locale: getLocale(),
        ...nextOfLetter(url.searchParams.get('next')),
      },
    }),
    done: (_reply, { url }) => safeNext(url.searchParams.get('next'), '/preview'),
  }),
} satisfies Actions;
