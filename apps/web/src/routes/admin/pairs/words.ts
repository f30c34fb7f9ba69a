/** The states, modes, names and fields of pairs in words. */
import type { RateState } from '@cambist/contract/pair-terms';
import type { Pair } from '@cambist/contract/pairs';
import { m } from '#lib/paraglide/messages.js';
import type { Tone } from '#lib/ui/Tag.svelte';

export const stateTones: Record<RateState, Tone> = {
  live: 'done',
  delayed: 'waiting',
  stale: 'refused',
  closed: 'neutral',
  paused: 'neutral',
};

export const stateWords: Record<RateState, () => string> = {
  live: m.pairs_state_live,
  delayed: m.pairs_state_delayed,
  stale: m.pairs_state_stale,
  closed: m.pairs_state_closed,
  paused: m.ui_paused,
};

export const modeWords: Record<Pair['rate_mode'], () => string> = {
  automatic: m.pairs_mode_automatic,
  manual: m.pairs_mode_manual,
  formula: m.pairs_mode_formula,
};

type Sides = { readonly [side in 'send' | 'receive']: Pick<Pair['send'], 'channel' | 'unit'> };

/** A pair by its units and channels: several channels may have the same units. */
export function pairName({ send, receive }: Sides): string {
  const name = ({ unit, channel }: Sides['send']) => m.pairs_side_name({ unit, channel });
  return m.admin_pair_name({ send: name(send), receive: name(receive) });
}

/** The label of the field of a path. */
export function labelOf(path: string): string | undefined {
  const [, list, place = '', field] = path.match(/^(tiers|hours)\.(\d+)(?:\.(\w+))?/) ?? [];
  if (list !== undefined) return labelInList(list, Number.parseInt(place, 10) + 1, field);
  return labels[path]?.();
}

const labels: Readonly<Record<string, () => string>> = {
  send: m.admin_pair_send,
  receive: m.admin_pair_receive,
  rate_mode: m.pairs_mode,
  formula: m.pairs_mode_formula,
  mid_rate: m.exchange_price_mid,
  mid_until: m.pairs_until,
  margin_percent: m.admin_fact_margin,
  margin_absolute: m.pairs_margin_absolute,
  rate_digits: m.admin_pair_digits,
  rate_min: m.pairs_rate_min,
  rate_max: m.pairs_rate_max,
  tiers: m.pairs_tiers,
  send_fee: m.admin_fact_send_fee,
  'send_fee.percent': m.admin_pair_send_fee_percent,
  'send_fee.fixed': m.admin_pair_send_fee_fixed,
  'send_fee.min': m.pairs_send_fee_min,
  'send_fee.max': m.pairs_send_fee_max,
  receive_fee: m.exchange_price_payout_fee,
  'receive_fee.percent': m.admin_pair_receive_fee_percent,
  'receive_fee.fixed': m.admin_pair_receive_fee_fixed,
  'receive_fee.min': m.pairs_receive_fee_min,
  'receive_fee.max': m.pairs_receive_fee_max,
  payout_step: m.pairs_step,
  hours: m.pairs_hours,
  min_send: m.admin_pair_min,
  max_send: m.admin_pair_max,
  day_max_send: m.admin_pair_day_max,
  month_max_send: m.admin_pair_month_max,
  lock_minutes: m.admin_pair_lock,
  pay_minutes: m.ui_time_to_pay,
  evidence: m.admin_evidence,
  position: m.admin_position,
  rate: m.admin_customer_rate,
  active: m.ui_active,
  complete_on_approval: m.admin_pair_complete,
};

function labelInList(list: string, place: number, field: string | undefined): string | undefined {
  if (list === 'tiers')
    return field === 'margin_percent'
      ? m.pairs_tier_margin_of({ place })
      : m.pairs_tier_from_of({ place });
  if (field === 'from') return m.pairs_hours_from_of({ place });
  if (field === 'to') return m.pairs_hours_to_of({ place });
  return m.pairs_hours_days_of({ place });
}
