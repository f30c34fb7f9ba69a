/** Names of accounts, channels, permissions, rate sources, states and warnings. */
import type { Currency } from '@cambist/contract/currencies';
import type { DeskExchange } from '@cambist/contract/desk';
import type { ExchangeException } from '@cambist/contract/exchange-records';
import type { ExchangeState } from '@cambist/contract/exchanges';
import type { LedgerEntry } from '@cambist/contract/reserves';
import type { Permission } from '@cambist/contract/endpoint';
import type { Tone } from '#lib/ui/Tag.svelte';
import { m } from '#lib/paraglide/messages.js';
import { sourceWord } from '#lib/rates/source.ts';

type Account = LedgerEntry['account'];

export const accountWords: Record<Account, () => string> = {
  available: m.admin_account_available,
  held: m.admin_account_held,
  customer: m.admin_account_customer,
  position: m.admin_account_position,
  fees: m.admin_account_fees,
  spread: m.admin_account_spread,
  costs: m.admin_account_costs,
  adjustments: m.admin_account_adjustments,
};

const entryKinds: Record<string, () => string> = {
  hold: m.admin_entry_hold,
  release: m.admin_entry_release,
  money_in: m.admin_entry_money_in,
  conversion: m.admin_entry_conversion,
  payout: m.admin_entry_payout,
  adjustment: m.admin_entry_adjustment,
};

/** A kind of a later issue is shown by its own name. */
export function entryWord(kind: string): string {
  return entryKinds[kind]?.() ?? kind.replaceAll('_', ' ');
}

export const kindWords: Record<Currency['kind'], () => string> = {
  bank: m.admin_kind_bank,
  card: m.admin_kind_card,
  wallet: m.admin_kind_wallet,
  chain: m.admin_kind_chain,
  cash: m.admin_kind_cash,
};

/** Each permission, and what it opens. */
export const permissionWords: Record<Permission, { name: () => string; text: () => string }> = {
  desk: { name: m.admin_nav_label, text: m.people_permission_desk_text },
  money: { name: m.admin_nav_group_money, text: m.people_permission_money_text },
  content: { name: m.people_permission_content, text: m.people_permission_content_text },
  users: { name: m.people_title, text: m.people_permission_users_text },
  settings: { name: m.settings_title, text: m.people_permission_settings_text },
};

export function midSourceWord(source: string): string {
  if (source === 'manual') return m.admin_mid_manual();
  // A formula of numbers alone.
  return source === 'formula' ? m.pairs_mode_formula() : sourceWord(source);
}

export const stateWords: Record<ExchangeState, () => string> = {
  awaiting_payment: m.admin_state_awaiting_payment,
  payment_submitted: m.admin_state_payment_submitted,
  under_review: m.admin_state_under_review,
  on_hold: m.admin_state_on_hold,
  approved: m.admin_state_approved,
  completed: m.exchange_state_completed,
  cancelled: m.exchange_state_cancelled,
  expired: m.exchange_state_expired,
  rejected: m.exchange_state_rejected,
  refund_pending: m.admin_state_refund_pending,
  refunded: m.exchange_state_refunded,
};

export const stateTones: Record<ExchangeState, Tone> = {
  awaiting_payment: 'neutral',
  payment_submitted: 'waiting',
  under_review: 'waiting',
  on_hold: 'waiting',
  approved: 'waiting',
  completed: 'done',
  cancelled: 'neutral',
  expired: 'neutral',
  rejected: 'refused',
  refund_pending: 'waiting',
  refunded: 'neutral',
};

export const exceptionWords: Record<ExchangeException, () => string> = {
  returned: m.admin_exception_returned,
  late: m.admin_exception_late,
  over: m.admin_exception_over,
  part: m.admin_exception_part,
  none: m.admin_exception_none,
};

type Warning = DeskExchange['warnings'][number];

export const warningWords: Record<Warning, () => string> = {
  same_file: m.admin_warning_same_file,
  new_account: m.admin_warning_new_account,
  late: m.admin_warning_late,
  name_differs: m.admin_warning_name_differs,
  own_exchange: m.admin_warning_own_exchange,
  payout_changed: m.admin_warning_payout_changed,
  unread_message: m.admin_warning_unread,
  reference_used: m.admin_warning_reference_used,
  account_shared: m.admin_warning_account_shared,
  limits_near: m.admin_warning_limits_near,
};

/** What each means, in a sentence. */
export const warningTexts: Record<Warning, () => string> = {
  same_file: m.admin_warning_text_same_file,
  new_account: m.admin_warning_text_new_account,
  late: m.admin_warning_text_late,
  name_differs: m.admin_warning_text_name_differs,
  own_exchange: m.admin_warning_text_own_exchange,
  payout_changed: m.admin_warning_payout_changed_text,
  unread_message: m.admin_warning_unread_text,
  reference_used: m.admin_warning_text_reference_used,
  account_shared: m.admin_warning_text_account_shared,
  limits_near: m.admin_warning_text_limits_near,
};
