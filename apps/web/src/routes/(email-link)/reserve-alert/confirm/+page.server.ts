import { confirmReserveAlert, getReserveAlert } from '@cambist/contract/alerts';
import { apiAction } from '#lib/server/form-action.ts';
import { sightOf, tokenIn } from '#lib/server/link-token.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, url }) => ({
  sight: await sightOf(locals.call(getReserveAlert, { params: tokenIn({ url }) })),
});

export const actions = {
  default: apiAction<typeof confirmReserveAlert, { confirmed: true }>({
    endpoint: confirmReserveAlert,
    read: (_form, event) => ({ params: tokenIn(event) }),
    done: () => ({ confirmed: true }),
  }),
} satisfies Actions;
