/** What the API refuses of a campaign, by its code. */
import { m } from '#lib/paraglide/messages.js';

export function refusalWords(): Readonly<Record<string, string>> {
  return {
    campaign_not_draft: m.campaigns_not_draft(),
    campaign_unready: m.campaigns_unready(),
    recipients_changed: m.campaigns_changed(),
    campaign_state_changed: m.campaigns_state_changed(),
  };
}
