import { forgotPassword } from '@cambist/contract/accounts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

const typedEmail = (form: FormData) => String(form.get('email') ?? '').trim();

export const actions = {
  default: apiAction<typeof forgotPassword, { sentTo: string }>({
    endpoint: forgotPassword,
    read: (form) => ({ body: { email: typedEmail(form) } }),
    done: (_reply, _event, form) => ({ sentTo: typedEmail(form) }),
  }),
} satisfies Actions;
