/** What the service refuses of a campaign, in the console's words. */
import { m } from '#lib/paraglide/messages.js';

export function refusalWords(): Readonly<Record<string, string>> {
  return {
    version_conflict: m.campaigns_conflict(),
    campaign_not_draft: m.campaigns_not_draft(),
    campaign_unready: m.campaigns_unready(),
    recipients_changed: m.campaigns_changed(),
    campaign_elsewhere: m.campaigns_elsewhere(),
  };
}
