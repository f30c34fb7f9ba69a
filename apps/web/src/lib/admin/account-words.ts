/** The ledger's accounts and kinds of transaction in words. */
import type { LedgerEntry } from '@cambist/contract/reserves';
import { m } from '#lib/paraglide/messages.js';

type Account = LedgerEntry['account'];

const accounts: Record<Account, () => string> = {
  available: m.admin_account_available,
  held: m.admin_account_held,
  customer: m.admin_account_customer,
  position: m.admin_account_position,
  fees: m.admin_account_fees,
  spread: m.admin_account_spread,
  costs: m.admin_account_costs,
  adjustments: m.admin_account_adjustments,
};

export function accountWord(account: Account): string {
  return accounts[account]();
}

const kinds: Record<string, () => string> = {
  hold: m.admin_entry_hold,
  release: m.admin_entry_release,
  money_in: m.admin_entry_money_in,
  conversion: m.admin_entry_conversion,
  payout: m.admin_entry_payout,
  adjustment: m.admin_entry_adjustment,
};

/** A kind of a later issue is shown by its own name. */
export function entryWord(kind: string): string {
  return kinds[kind]?.() ?? kind.replaceAll('_', ' ');
}
