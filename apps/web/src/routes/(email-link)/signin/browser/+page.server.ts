import { allowBrowser, checkAllowBrowser } from '@cambist/contract/email-links';
import { deadLinkOf, type DeadLink } from '#lib/server/dead-link.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, url }): Promise<{ dead: DeadLink | null }> => {
  const body = { token: url.searchParams.get('token') ?? '' };
  try {
    await locals.call(checkAllowBrowser, { body });
    return { dead: null };
  } catch (error) {
    return { dead: deadLinkOf(error) };
  }
};

export const actions = {
  default: apiAction<typeof allowBrowser>({
    endpoint: allowBrowser,
    read: (_form, { url }) => ({ body: { token: url.searchParams.get('token') ?? '' } }),
    done: () => '/signin?notice=browser-allowed',
  }),
} satisfies Actions;
