/** Messages for `?trouble=`: why a provider sign-in, a link to a file or a form of an ended session failed. */
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
  too_many: m.ui_failure_too_often,
  closed: m.account_trouble_closed,
  gone: m.account_trouble_gone,
  not_saved: m.account_trouble_not_saved,
};

/** Null without trouble; an unknown code counts as `failed`. */
export function troubleWords(trouble: string | null): string | null {
  if (trouble === null) return null;
  return (Object.hasOwn(words, trouble) ? words[trouble as Trouble] : words.failed)();
}
