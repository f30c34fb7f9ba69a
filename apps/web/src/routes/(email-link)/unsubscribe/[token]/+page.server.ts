import { getUnsubscription, unsubscribe } from '@cambist/contract/newsletter';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, params }) => {
  const { data } = await locals.call(getUnsubscription, { params });
  return { sight: data };
};

export const actions = {
  default: apiAction<typeof unsubscribe, { ended: true }>({
    endpoint: unsubscribe,
    read: (_form, { params }) => ({ params: { token: params['token'] ?? '' } }),
    done: () => ({ ended: true }),
  }),
} satisfies Actions;
