import { confirmSubscription, getSubscription } from '@cambist/contract/newsletter';
import { ApiError } from '#lib/api/client.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, url }) => {
  const params = { token: url.searchParams.get('token') || 'none' };
  try {
    const { data } = await locals.call(getSubscription, { params });
    return { sight: data };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { sight: null };
    throw error;
  }
};

export const actions = {
  default: apiAction<typeof confirmSubscription, { confirmed: true }>({
    endpoint: confirmSubscription,
    read: (_form, { url }) => ({ params: { token: url.searchParams.get('token') || 'none' } }),
    done: () => ({ confirmed: true }),
  }),
} satisfies Actions;
