import { forgotPassword } from '@cambist/contract/accounts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

function typedEmail(form: FormData): string {
  return String(form.get('email') ?? '').trim();
}

export const actions = {
  default: apiAction<typeof forgotPassword, { sent: true; email: string }>({
    endpoint: forgotPassword,
    read: (form) => ({ body: { email: typedEmail(form) } }),
    done: (_reply, _event, form) => ({ sent: true, email: typedEmail(form) }),
  }),
} satisfies Actions;
