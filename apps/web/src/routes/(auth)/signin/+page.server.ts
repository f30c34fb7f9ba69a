import { signIn } from '@cambist/contract/accounts';
import { safeNext } from '#lib/next-path.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

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
    done: ({ data: user }, { url }) =>
      safeNext(url.searchParams.get('next'), user.role === 'admin' ? '/admin' : '/exchanges'),
  }),
} satisfies Actions;
