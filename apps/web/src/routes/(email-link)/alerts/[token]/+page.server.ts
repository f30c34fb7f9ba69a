import { getAlertLink, stopRateAlert } from '@cambist/contract/rate-alerts';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

/** Looked at, not stopped: programs that look into letters open the page too. */
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
