/** Where a campaign stands, in words and colours. */
import type { CampaignState } from '@cambist/contract/campaigns';
import { m } from '#lib/paraglide/messages.js';

export const campaignWords = {
  draft: m.campaigns_state_draft,
  scheduled: m.campaigns_state_scheduled,
  sending: m.campaigns_state_sending,
  paused: m.campaigns_state_paused,
  cancelled: m.campaigns_state_cancelled,
  sent: m.campaigns_state_sent,
} as const satisfies Record<CampaignState, () => string>;

export const campaignTones = {
  draft: 'neutral',
  scheduled: 'waiting',
  sending: 'waiting',
  paused: 'waiting',
  cancelled: 'neutral',
  sent: 'done',
} as const;
