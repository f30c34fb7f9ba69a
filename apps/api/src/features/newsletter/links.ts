/** The links of the newsletter's letters: what each opens, and nothing else. Pure. */
import { unsubscribe } from '@cambist/contract/newsletter';
import type { Id } from '#kernel/id.ts';
import type { Keys } from '#platform/keys.ts';
import { readSignedId, signedId } from '#platform/signed-id.ts';

const CONFIRM = 'newsletter confirmation';
const END = 'newsletter end';
/** Over the letter of a campaign, so that it is known by which one somebody left. */
const CAMPAIGN_END = 'newsletter end by campaign';
const endPath = '/unsubscribe/';

export function confirmToken(keys: Keys, id: Id): string {
  return signedId(keys, CONFIRM, id);
}

/** Whose token this is; null for anything else. */
export function readConfirmToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, CONFIRM, token);
}

export function readEndToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, END, token);
}

/** The letter of a campaign whose link this is. */
export function readCampaignEndToken(keys: Keys, token: string): Id | null {
  return readSignedId(keys, CAMPAIGN_END, token);
}

/** As a letter carries it: the token is made when the letter is sent. */
export function endLinkOf(id: Id) {
  return { path: endPath, signs: { purpose: END, id }, oneClick: unsubscribe.path };
}

export function campaignEndLinkOf(letterId: Id) {
  return {
    path: endPath,
    signs: { purpose: CAMPAIGN_END, id: letterId },
    oneClick: unsubscribe.path,
  };
}

/** The page that asks before it ends anything. */
export function endPage(frontendUrl: string, token: string): string {
  return new URL(endPath + encodeURIComponent(token), frontendUrl).href;
}
