/** What kind of channel a currency moves by, in words. */
import type { Currency } from '@cambist/contract/currencies';
import { m } from '#lib/paraglide/messages.js';

const words: Record<Currency['kind'], () => string> = {
  bank: m.admin_kind_bank,
  card: m.admin_kind_card,
  wallet: m.admin_kind_wallet,
  chain: m.admin_kind_chain,
  cash: m.admin_kind_cash,
};

export function kindWord(kind: Currency['kind']): string {
  return words[kind]();
}
