import { verifyEmail } from '@cambist/contract/accounts';
import { checkVerifyEmail, type LinkSight } from '@cambist/contract/email-links';
import { safeNext } from '#lib/account/next-path.ts';
import { deadLinkOf, type DeadLink } from '#lib/server/dead-link.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({
  locals,
  url,
}): Promise<{ sight: LinkSight; dead: null } | { sight: null; dead: DeadLink }> => {
  const body = { token: url.searchParams.get('token') ?? '' };
  try {
    const { data } = await locals.call(checkVerifyEmail, { body });
    return { sight: data, dead: null };
  } catch (error) {
    return { sight: null, dead: deadLinkOf(error) };
  }
};

export const actions = {
  default: apiAction<typeof verifyEmail, { confirmed: string }>({
    endpoint: verifyEmail,
    read: (_form, { url }) => ({ body: { token: url.searchParams.get('token') ?? '' } }),
    done: ({ data }) =>
      data.next === null ? { confirmed: data.email } : safeNext(data.next, '/preview'),
  }),
} satisfies Actions;
