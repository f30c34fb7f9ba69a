import { confirmSubscription, getSubscription } from '@cambist/contract/newsletter';
import { apiAction } from '#lib/server/form-action.ts';
import { sightOf, tokenIn } from '#lib/server/link-token.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, url }) => ({
  sight: await sightOf(locals.call(getSubscription, { params: tokenIn({ url }) })),
});

export const actions = {
  default: apiAction<typeof confirmSubscription, { confirmed: true }>({
    endpoint: confirmSubscription,
    read: (_form, event) => ({ params: tokenIn(event) }),
    done: () => ({ confirmed: true }),
  }),
} satisfies Actions;
