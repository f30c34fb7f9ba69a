import { resetPassword } from '@cambist/contract/accounts';
import { checkResetPassword } from '@cambist/contract/email-links';
import { deadLinkOf, type DeadLink } from '#lib/server/dead-link.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, url }): Promise<{ dead: DeadLink | null }> => {
  const body = { token: url.searchParams.get('token') ?? '' };
  try {
    await locals.call(checkResetPassword, { body });
    return { dead: null };
  } catch (error) {
    return { dead: deadLinkOf(error) };
  }
};

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
