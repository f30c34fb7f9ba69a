/** The states of a subscriber, in words and colours. */
import type { SubscriberState } from '@cambist/contract/newsletter';
import { m } from '#lib/paraglide/messages.js';

export const stateWords = {
  pending: m.news_state_pending,
  confirmed: m.news_state_confirmed,
  left: m.news_state_left,
  bounced: m.news_state_bounced,
} as const satisfies Record<SubscriberState, () => string>;

export const stateTones = {
  pending: 'waiting',
  confirmed: 'done',
  left: 'neutral',
  bounced: 'refused',
} as const;
