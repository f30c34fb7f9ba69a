import { confirmReserveAlert, getReserveAlert } from '@cambist/contract/alerts';
import { ApiError } from '#lib/api/client.ts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

const paramsIn = (url: URL) => ({ token: url.searchParams.get('token') || 'none' });

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, url }) => {
  try {
    const { data } = await locals.call(getReserveAlert, { params: paramsIn(url) });
    return { alert: data };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { alert: null };
    throw error;
  }
};

export const actions = {
  default: apiAction<typeof confirmReserveAlert, { confirmed: true }>({
    endpoint: confirmReserveAlert,
    read: (_form, { url }) => ({ params: paramsIn(url) }),
    done: () => ({ confirmed: true }),
  }),
} satisfies Actions;
