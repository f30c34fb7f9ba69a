/** The states of a campaign, as labels and colours. */
import type { CampaignState } from '@cambist/contract/campaigns';
import { m } from '#lib/paraglide/messages.js';

export const campaignWords = {
  draft: m.campaigns_state_draft,
  scheduled: m.campaigns_state_scheduled,
  sending: m.campaigns_state_sending,
  stopped: m.campaigns_state_stopped,
  sent: m.campaigns_state_sent,
} as const satisfies Record<CampaignState, () => string>;

export const campaignTones = {
  draft: 'neutral',
  scheduled: 'waiting',
  sending: 'waiting',
  stopped: 'refused',
  sent: 'done',
} as const;
