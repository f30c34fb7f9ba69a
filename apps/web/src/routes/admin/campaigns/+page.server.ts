import { campaignStates, getCampaignAudience, listCampaigns } from '@cambist/contract/campaigns';
import { readListQuery } from '#lib/browser/list-query.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url }) => {
  const { state } = readListQuery(campaignStates, url);
  const query = { ...(state ? { state } : {}), per_page: 30 };
  const [campaigns, audience] = await Promise.all([
    locals.call(listCampaigns, { query }),
    locals.call(getCampaignAudience),
  ]);
  return { query, campaigns, audience: audience.data };
};
