/** The states of a campaign, as labels and colours. */
import type { CampaignState } from '@cambist/contract/campaigns';
import { m } from '#lib/paraglide/messages.js';

export const campaignWords = {
  draft: m.posts_draft,
  scheduled: m.posts_scheduled,
  sending: m.campaigns_state_sending,
  stopped: m.campaigns_state_stopped,
  sent: m.mail_state_sent,
} as const satisfies Record<CampaignState, () => string>;

export const campaignTones = {
  draft: 'neutral',
  scheduled: 'waiting',
  sending: 'waiting',
  stopped: 'refused',
  sent: 'done',
} as const;

/** Why the API refuses a change of a campaign, by code. */
export function refusalWords(): Readonly<Record<string, string>> {
  return {
    campaign_not_draft: m.campaigns_not_draft(),
    campaign_unready: m.campaigns_unready(),
    recipients_changed: m.campaigns_changed(),
    campaign_state_changed: m.campaigns_state_changed(),
  };
}
