/** The words of a campaign as the service has them, for whoever is writing it. */
import { getCampaign, type Campaign } from '@cambist/contract/campaigns';
import { textWithAddresses } from '@cambist/html/text';
import { lineLeaves, revivedLines } from '#lib/admin/comparison.ts';
import { KeptEditing, type Saved } from '#lib/admin/kept-editing.svelte.ts';
import { call } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
import { languageName } from '#lib/admin/language-name.ts';

export interface CampaignForm {
  subject: string;
  preview: string;
  body: string;
  /** '' for everybody. */
  locale: string;
}

export function editingOf(campaign: Campaign, userId: string): KeptEditing<CampaignForm> {
  const saved = savedWords(campaign, userId);
  const audience = (locale: string) => (locale === '' ? m.campaigns_all() : languageName(locale));
  return new KeptEditing(saved, {
    name: `campaign ${campaign.id} ${userId}`,
    leaves: lineLeaves<CampaignForm>(wordsLabels(), { body: textWithAddresses, locale: audience }),
    revive: (kept) => revivedLines(saved.draft, kept),
    fetch: async () => {
      const { data } = await call(getCampaign, { params: { id: campaign.id } });
      return savedWords(data, userId);
    },
  });
}

export function savedWords(campaign: Campaign, userId: string): Saved<CampaignForm> {
  const { subject, preview, body, locale, version, saved_by: by, saved_by_id } = campaign;
  const draft = { subject, preview, body, locale: locale ?? '' };
  return { draft, version, by, isOwn: saved_by_id === userId, at: campaign.updated_at };
}

export function wordsLabels(): Record<keyof CampaignForm, string> {
  return {
    subject: m.campaigns_subject(),
    preview: m.campaigns_preview(),
    body: m.campaigns_body(),
    locale: m.campaigns_audience(),
  };
}
