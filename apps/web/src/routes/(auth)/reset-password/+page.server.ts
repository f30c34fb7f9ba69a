import { resetPassword } from '@cambist/contract/accounts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

export const actions = {
  default: apiAction<typeof resetPassword>({
    endpoint: resetPassword,
    read: (form, { url }) => ({
      body: {
        token: url.searchParams.get('token') ?? '',
        password: String(form.get('password') ?? ''),
      },
    }),
    done: () => '/signin?notice=new-password',
  }),
} satisfies Actions;
