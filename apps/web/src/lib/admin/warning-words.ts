/** What an operator should look at, in two words for a list. */
import type { DeskExchange } from '@cambist/contract/desk';
import { m } from '#lib/paraglide/messages.js';

type Warning = DeskExchange['warnings'][number];

const words: Record<Warning, () => string> = {
  same_file: m.admin_warning_same_file,
  new_account: m.admin_warning_new_account,
  late: m.admin_warning_late,
  name_differs: m.admin_warning_name_differs,
  own_exchange: m.admin_warning_own_exchange,
};

export function warningWord(warning: Warning): string {
  return words[warning]();
}
