/** The filters of the list of emails, as they stand in the address. Pure. */
import { emailStates } from '@cambist/contract/email';

export interface MailQuery {
  state?: (typeof emailStates)[number];
  recipient?: string;
}

/** The longest address that the service takes. */
export const recipientLength = 254;

export function readRecipient(typed: string): string {
  return typed.trim().slice(0, recipientLength);
}

/** Reads the address; what makes no sense there is left out. */
export function readMailQuery(query: URLSearchParams): MailQuery {
  const state = emailStates.find((each) => each === query.get('state'));
  const recipient = readRecipient(query.get('recipient') ?? '');
  return { ...(state ? { state } : {}), ...(recipient === '' ? {} : { recipient }) };
}

export function mailPath({ state, recipient }: MailQuery): string {
  const search = new URLSearchParams();
  if (state) search.set('state', state);
  if (recipient) search.set('recipient', recipient);
  return search.size > 0 ? `/admin/mail?${search}` : '/admin/mail';
}
