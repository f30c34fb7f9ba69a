/** The links of the newsletter's emails: what each opens, and nothing else. Pure. */
import { unsubscribe } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';

/** What a token was signed for. The last is over the email of a campaign, so that it is known by which one a subscriber left. */
export const CONFIRM = 'newsletter confirmation';
export const UNSUBSCRIBE = 'newsletter end';
export const CAMPAIGN_UNSUBSCRIBE = 'newsletter end by campaign';
const PATH = '/unsubscribe/';

/** As an email carries it: the token is made when the email is sent. */
export function unsubscribeLink(purpose: typeof UNSUBSCRIBE | typeof CAMPAIGN_UNSUBSCRIBE, id: Id) {
  return { label: 'Unsubscribe', path: PATH, signs: { purpose, id }, oneClick: unsubscribe.path };
}

/** The page that asks before it unsubscribes. */
export function unsubscribePage(frontendUrl: string, token: string): string {
  return new URL(PATH + encodeURIComponent(token), frontendUrl).href;
}
