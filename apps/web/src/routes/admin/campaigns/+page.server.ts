import {
  campaignStates,
  createCampaign,
  getCampaignAudience,
  listCampaigns,
} from '@cambist/contract/campaigns';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const state = campaignStates.find(
    (each) => each === new URLSearchParams(url.search).get('state'),
  );
  const query = { ...(state ? { state } : {}), per_page: 30 };
  const [campaigns, audience] = await Promise.all([
    locals.call(listCampaigns, { query }),
    locals.call(getCampaignAudience),
  ]);
  return { query, campaigns, audience: audience.data, once: crypto.randomUUID() };
};

export const actions = {
  default: apiAction<typeof createCampaign>({
    endpoint: createCampaign,
    read: (form) => {
      const from = form.get('from');
      return { body: typeof from === 'string' && from !== '' ? { from } : {} };
    },
    done: ({ data }) => `/admin/campaigns/${data.id}`,
  }),
} satisfies Actions;
