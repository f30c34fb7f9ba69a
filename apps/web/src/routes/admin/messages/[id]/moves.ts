/** Where a message can go from a state. Pure but for the words. */
import type { MessageState } from '@cambist/contract/contact';
import { m } from '#lib/paraglide/messages.js';

export interface Move {
  readonly to: MessageState;
  readonly label: () => string;
}

const open: Move = { to: 'open', label: m.contact_act_open };
const reopen: Move = { to: 'open', label: m.contact_act_reopen };
const close: Move = { to: 'closed', label: m.contact_act_close };
const spam: Move = { to: 'spam', label: m.contact_act_spam };

export const moves: Readonly<Record<MessageState, readonly Move[]>> = {
  new: [open, close, spam],
  open: [close, spam],
  answered: [reopen, close],
  closed: [reopen],
  // It was never looked into, so it waits again.
  spam: [{ to: 'new', label: m.contact_act_not_spam }],
};
