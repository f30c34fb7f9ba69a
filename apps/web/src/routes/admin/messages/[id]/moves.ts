/** Where a message can go from a state. Pure but for the words. */
import type { ContactMessage, MessageState } from '@cambist/contract/contact';
import { m } from '#lib/paraglide/messages.js';
import { afterSpam } from './not-spam.ts';

export interface Move {
  readonly to: MessageState;
  readonly label: () => string;
}

const open: Move = { to: 'open', label: m.contact_act_open };
const reopen: Move = { to: 'open', label: m.contact_act_reopen };
const close: Move = { to: 'closed', label: m.contact_act_close };
const spam: Move = { to: 'spam', label: m.contact_act_spam };

const moves: Readonly<Record<Exclude<MessageState, 'spam'>, readonly Move[]>> = {
  new: [open, close, spam],
  open: [close, spam],
  answered: [reopen, close],
  closed: [reopen],
};

export function movesOf(message: ContactMessage): readonly Move[] {
  const { state } = message;
  return state === 'spam'
    ? [{ to: afterSpam(message), label: m.contact_act_not_spam }]
    : moves[state];
}
