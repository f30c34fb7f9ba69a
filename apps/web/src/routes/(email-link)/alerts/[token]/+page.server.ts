import { getAlertLink, stopRateAlert } from '@cambist/contract/rate-alerts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Only checks the link: mail scanners open it too. */
export const load: PageServerLoad = async ({ locals, params }) => {
  const { data } = await locals.call(getAlertLink, { params: { token: params.token } });
  return { alert: data };
};

export const actions = {
  default: apiAction<typeof stopRateAlert, { stopped: true }>({
    endpoint: stopRateAlert,
    read: (_form, { params }) => ({ params: { token: params['token'] ?? '' } }),
    done: () => ({ stopped: true }),
  }),
} satisfies Actions;
