/** Why coming through a provider, a link to a file or a form of a session that is over led to nothing, in plain words. */
import type { LinkTrouble } from '@cambist/contract/link-troubles';
import type { ProviderTrouble } from '@cambist/contract/providers';
import { m } from '#lib/paraglide/messages.js';

type Trouble = ProviderTrouble | LinkTrouble | 'not_saved';

const words: Readonly<Record<Trouble, () => string>> = {
  cancelled: m.account_trouble_cancelled,
  failed: m.account_trouble_failed,
  expired: m.account_trouble_expired,
  no_email: m.account_trouble_no_email,
  email_in_use: m.account_trouble_email_in_use,
  disabled: m.account_trouble_disabled,
  already_linked: m.account_trouble_already_linked,
  confirmation_required: m.account_trouble_confirmation_required,
  unavailable: m.account_trouble_unavailable,
  too_many: m.account_trouble_too_many,
  closed: m.account_trouble_closed,
  gone: m.account_trouble_gone,
  not_saved: m.account_trouble_not_saved,
};

/** Null when there was no trouble; one that is not known counts as a plain failure. */
export function troubleWords(trouble: string | null): string | null {
  if (trouble === null) return null;
  return (Object.hasOwn(words, trouble) ? words[trouble as Trouble] : words.failed)();
}
