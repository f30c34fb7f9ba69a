/** The links of the newsletter's emails: what each opens, and nothing else. Pure. */
import { unsubscribe } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/security/keys.ts';
import { readSignedId, signedId } from '#platform/security/signed-id.ts';

const CONFIRM = 'newsletter confirmation';
const UNSUBSCRIBE = 'newsletter end';
/** Over the email of a campaign, so that it is known by which one a subscriber left. */
const CAMPAIGN_UNSUBSCRIBE = 'newsletter end by campaign';
const PATH = '/unsubscribe/';

export function confirmToken(keys: Keys, id: Id): string {
  return signedId(keys, CONFIRM, id);
}

/** The subscriber of this token; null for anything else. */
export function readConfirmToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, CONFIRM, token);
}

export function readUnsubscribeToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, UNSUBSCRIBE, token);
}

/** The campaign's email of this token. */
export function readCampaignToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, CAMPAIGN_UNSUBSCRIBE, token);
}

/** As an email carries it: the token is made when the email is sent. */
export function unsubscribeLink(subscriberId: Id) {
  return {
    path: PATH,
    signs: { purpose: UNSUBSCRIBE, id: subscriberId },
    oneClick: unsubscribe.path,
  };
}

export function campaignUnsubscribeLink(emailId: Id) {
  return {
    path: PATH,
    signs: { purpose: CAMPAIGN_UNSUBSCRIBE, id: emailId },
    oneClick: unsubscribe.path,
  };
}

/** The page that asks before it unsubscribes. */
export function unsubscribePage(frontendUrl: string, token: string): string {
  return new URL(PATH + encodeURIComponent(token), frontendUrl).href;
}
