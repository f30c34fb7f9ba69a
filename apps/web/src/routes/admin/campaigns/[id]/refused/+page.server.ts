import { getCampaign, listRefusedLetters } from '@cambist/contract/campaigns';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const asked = { params: { id: params.id } };
  const [campaign, letters] = await Promise.all([
    locals.call(getCampaign, asked),
    locals.call(listRefusedLetters, asked),
  ]);
  return { campaign: campaign.data, letters };
};
