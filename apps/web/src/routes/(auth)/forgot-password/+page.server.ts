import { forgotPassword } from '@cambist/contract/accounts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

export const actions = {
  default: apiAction<typeof forgotPassword, { sent: true }>({
    endpoint: forgotPassword,
    read: (form) => ({ body: { email: String(form.get('email') ?? '').trim() } }),
    done: () => ({ sent: true }),
  }),
} satisfies Actions;
