/** How the inbox names a message's state, and its colour. */
import type { MessageState } from '@cambist/contract/contact';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

const words: Record<MessageState, () => string> = {
  new: m.contact_state_new,
  open: m.contact_state_open,
  answered: m.contact_state_answered,
  closed: m.contact_state_closed,
  spam: m.contact_state_spam,
};

export const messageTones: Readonly<Record<MessageState, Tone>> = {
  new: 'waiting',
  open: 'waiting',
  answered: 'done',
  closed: 'neutral',
  spam: 'refused',
};

export function messageStateWord(state: MessageState): string {
  return words[state]();
}
