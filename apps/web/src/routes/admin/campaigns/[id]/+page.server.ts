import { getCampaign, getCampaignAudience, saveCampaign } from '@cambist/contract/campaigns';
import { sentVersion } from '#lib/admin/sent-form.ts';
import { apiAction } from '#lib/server/form-action.ts';
import { takeLeftOut, tellLeftOut } from '#lib/server/left-out.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, cookies, url }) => {
  const [campaign, audience] = await Promise.all([
    locals.call(getCampaign, { params: { id: params.id } }),
    locals.call(getCampaignAudience),
  ]);
  const removed = takeLeftOut({ cookies, url });
  return { campaign: campaign.data, audience: audience.data, removed };
};

const text = (form: FormData, name: string) => String(form.get(name) ?? '');

/** For a form that was sent before the script had come. */
export const actions = {
  default: apiAction<typeof saveCampaign>({
    endpoint: saveCampaign,
    read: (form, { params }) => ({
      params: { id: params['id'] ?? '' },
      body: {
        version: sentVersion(form),
        subject: text(form, 'subject'),
        preview: text(form, 'preview'),
        body: text(form, 'body'),
        locale: text(form, 'locale') || null,
      },
    }),
    done: ({ data: { id, removed } }, event) =>
      tellLeftOut(removed, `/admin/campaigns/${id}`, event),
  }),
} satisfies Actions;
