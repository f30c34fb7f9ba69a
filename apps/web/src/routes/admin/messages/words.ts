/** The labels and colours of a message's states. */
import type { MessageState } from '@cambist/contract/contact';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

export const messageWords: Readonly<Record<MessageState, () => string>> = {
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

interface Move {
  readonly to: MessageState;
  readonly label: () => string;
}

const close: Move = { to: 'closed', label: m.contact_act_close };
const spam: Move = { to: 'spam', label: m.contact_act_spam };

/** Where a message can go from each state. */
export const messageMoves: Readonly<Record<MessageState, readonly Move[]>> = {
  new: [{ to: 'open', label: m.contact_act_open }, close, spam],
  open: [close, spam],
  answered: [{ to: 'open', label: m.contact_act_reopen }, close],
  closed: [{ to: 'open', label: m.contact_act_reopen }],
  spam: [{ to: 'open', label: m.contact_act_not_spam }],
};
