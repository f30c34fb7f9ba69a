import { getExchangeStatus } from '@cambist/contract/status-link';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, depends }) => {
  depends('cambist:status');
  const { data } = await locals.call(getExchangeStatus, { params: { token: params.token } });
  return { exchange: data };
};
