import { verifyEmail } from '@cambist/contract/accounts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

export const actions = {
  default: apiAction<typeof verifyEmail, { confirmed: string }>({
    endpoint: verifyEmail,
    read: (_form, { url }) => ({ body: { token: url.searchParams.get('token') ?? '' } }),
    done: ({ data }) => ({ confirmed: data.email }),
  }),
} satisfies Actions;
