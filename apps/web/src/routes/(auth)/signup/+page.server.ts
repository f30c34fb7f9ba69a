import { redirect } from '@sveltejs/kit';
import { signUp } from '@cambist/contract/accounts';
import { nextForEmail, safeNext } from '#lib/account/next-path.ts';
import { getLocale } from '#lib/paraglide/runtime.js';
import { apiAction } from '#lib/server/form-action.ts';
import { offeredProviders } from '#lib/server/providers.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  providers: await offeredProviders(locals.call),
});

function nextPath({ searchParams }: URL): string {
  return safeNext(searchParams.get('next'), '/preview');
}

export const actions = {
  default: apiAction<typeof signUp>({
    endpoint: signUp,
    read: (form, { url, locals }) => {
      const email = String(form.get('email') ?? '').trim();
      // A second press after the first one has signed up and in.
      if (email.toLowerCase() === locals.user?.email) redirect(303, nextPath(url));
      const body = {
        name: String(form.get('name') ?? '').trim(),
        email,
        password: String(form.get('password') ?? ''),
        terms_accepted: form.get('terms_accepted') === 'on',
        locale: getLocale(),
        ...nextForEmail(url.searchParams.get('next')),
      };
      return { body };
    },
    done: (_reply, { url }) => nextPath(url),
  }),
} satisfies Actions;
