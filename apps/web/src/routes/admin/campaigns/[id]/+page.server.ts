import { getCampaign, getCampaignAudience } from '@cambist/contract/campaigns';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const [campaign, audience] = await Promise.all([
    locals.call(getCampaign, { params: { id: params.id } }),
    locals.call(getCampaignAudience),
  ]);
  return { campaign: campaign.data, audience: audience.data };
};
