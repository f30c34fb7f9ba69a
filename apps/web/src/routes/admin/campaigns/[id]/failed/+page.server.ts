import { getCampaign, listFailedEmails } from '@cambist/contract/campaigns';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const of = { params: { id: params.id } };
  const [campaign, emails] = await Promise.all([
    locals.call(getCampaign, of),
    locals.call(listFailedEmails, of),
  ]);
  return { campaign: campaign.data, emails };
};
