/** A pair while it is being edited, and the bodies that are sent of it. Pure. */
import type { WorkingHours } from '@cambist/contract/pair-terms';
import type { createPair, Pair, previewPair, updatePair } from '@cambist/contract/pairs';
import type { BodyOf } from '@cambist/contract/endpoint';
import { compare, parseDecimal } from '@cambist/money/decimal';
import { wholeOf } from '#lib/admin/whole-number.ts';

type NewPairBody = BodyOf<typeof createPair>;
type PreviewBody = BodyOf<typeof previewPair>;
export type PairChanges = Omit<BodyOf<typeof updatePair>, 'version'>;
export type RateMode = Pair['rate_mode'];

/** The rate that was shown to whoever said yes to it; nothing before anybody was asked. */
export type Yes = Pick<NewPairBody, 'confirm_rate'>;

/** Rows of a list are told apart by `key`, which is sent nowhere. */
export interface TierDraft {
  key: number;
  from: string;
  margin_percent: string;
}

/** As the browser's time fields write it; midnight as the end is `00:00`. */
export interface HoursDraft {
  key: number;
  days: number[];
  from: string;
  to: string;
}

/** Figures as canonical decimal text; '' while nothing readable is typed, or for none. */
export interface PairDraft {
  send: string;
  receive: string;
  rate_mode: RateMode;
  formula: string;
  mid_rate: string;
  /** ISO 8601, or ''. */
  mid_until: string;
  margin_percent: string;
  margin_absolute: string;
  rate_digits: string;
  rate_min: string;
  rate_max: string;
  tiers: TierDraft[];
  send_fee_fixed: string;
  send_fee_percent: string;
  send_fee_min: string;
  send_fee_max: string;
  receive_fee_fixed: string;
  receive_fee_percent: string;
  receive_fee_min: string;
  receive_fee_max: string;
  payout_step: string;
  hours: HoursDraft[];
  min_send: string;
  max_send: string;
  day_max_send: string;
  month_max_send: string;
  lock_minutes: string;
  pay_minutes: string;
  evidence: Pair['evidence'];
  complete_on_approval: boolean;
  active: boolean;
  position: string;
}

export function pairDraft(pair: Pair): PairDraft {
  return {
    send: pair.send.slug,
    receive: pair.receive.slug,
    rate_mode: pair.rate_mode,
    formula: pair.formula ?? '',
    mid_rate: pair.mid_rate ?? '',
    mid_until: pair.mid_until ?? '',
    margin_percent: pair.margin_percent,
    margin_absolute: pair.margin_absolute,
    rate_digits: String(pair.rate_digits),
    rate_min: pair.rate_min ?? '',
    rate_max: pair.rate_max ?? '',
    tiers: pair.tiers.map((tier, key) => ({ key, ...tier })),
    send_fee_fixed: pair.send_fee.fixed,
    send_fee_percent: pair.send_fee.percent,
    send_fee_min: pair.send_fee.min ?? '',
    send_fee_max: pair.send_fee.max ?? '',
    receive_fee_fixed: pair.receive_fee.fixed,
    receive_fee_percent: pair.receive_fee.percent,
    receive_fee_min: pair.receive_fee.min ?? '',
    receive_fee_max: pair.receive_fee.max ?? '',
    payout_step: pair.payout_step ?? '',
    hours: (pair.hours ?? []).map(({ days, from, to }, key) => ({
      key,
      days: [...days],
      from,
      to: to === '24:00' ? '00:00' : to,
    })),
    min_send: pair.min_send,
    max_send: pair.max_send,
    day_max_send: pair.day_max_send ?? '',
    month_max_send: pair.month_max_send ?? '',
    lock_minutes: String(pair.lock_minutes),
    pay_minutes: String(pair.pay_minutes),
    evidence: pair.evidence,
    complete_on_approval: pair.complete_on_approval,
    active: pair.active,
    position: String(pair.position),
  };
}

export function emptyPair(): PairDraft {
  return {
    send: '',
    receive: '',
    rate_mode: 'manual',
    formula: '',
    mid_rate: '',
    mid_until: '',
    margin_percent: '1',
    margin_absolute: '0',
    rate_digits: '6',
    rate_min: '',
    rate_max: '',
    tiers: [],
    send_fee_fixed: '0',
    send_fee_percent: '0',
    send_fee_min: '',
    send_fee_max: '',
    receive_fee_fixed: '0',
    receive_fee_percent: '0',
    receive_fee_min: '',
    receive_fee_max: '',
    payout_step: '',
    hours: [],
    min_send: '',
    max_send: '',
    day_max_send: '',
    month_max_send: '',
    lock_minutes: '15',
    pay_minutes: '60',
    evidence: 'proof',
    complete_on_approval: false,
    active: false,
    position: '0',
  };
}

/** Everything but the currencies and the manual rate, which are set on their own. */
export function changesOf(draft: PairDraft) {
  return {
    rate_mode: draft.rate_mode,
    formula: draft.rate_mode === 'formula' ? draft.formula.trim() || null : null,
    margin_percent: draft.margin_percent,
    // An optional figure that was emptied is none.
    margin_absolute: draft.margin_absolute || '0',
    rate_digits: wholeOf(draft.rate_digits),
    rate_min: draft.rate_min || null,
    rate_max: draft.rate_max || null,
    tiers: draft.tiers.map(({ from, margin_percent }) => ({ from, margin_percent })),
    send_fee: {
      fixed: draft.send_fee_fixed,
      percent: draft.send_fee_percent,
      min: draft.send_fee_min || null,
      max: draft.send_fee_max || null,
    },
    receive_fee: {
      fixed: draft.receive_fee_fixed,
      percent: draft.receive_fee_percent,
      min: draft.receive_fee_min || null,
      max: draft.receive_fee_max || null,
    },
    payout_step: draft.payout_step || null,
    hours: draft.hours.length === 0 ? null : draft.hours.map(hoursOf),
    min_send: draft.min_send,
    max_send: draft.max_send,
    day_max_send: draft.day_max_send || null,
    month_max_send: draft.month_max_send || null,
    lock_minutes: wholeOf(draft.lock_minutes),
    pay_minutes: wholeOf(draft.pay_minutes),
    evidence: draft.evidence,
    complete_on_approval: draft.complete_on_approval,
    active: draft.active,
    position: wholeOf(draft.position),
  } satisfies PairChanges;
}

/** The rate goes with the manual mode only: what else was typed there is left behind. */
export function newPairBody(draft: PairDraft): NewPairBody {
  return {
    send: draft.send,
    receive: draft.receive,
    ...(draft.rate_mode === 'manual'
      ? { mid_rate: draft.mid_rate, mid_until: draft.mid_until || null }
      : {}),
    ...changesOf(draft),
  };
}

/** What the preview asks; null while a figure that it needs is missing. */
export function previewBody(
  draft: PairDraft,
  side: PreviewBody['side'],
  amount: string,
): PreviewBody | null {
  const needed = [
    draft.send,
    draft.receive,
    ...(draft.rate_mode === 'manual' ? [draft.mid_rate] : []),
    ...(draft.rate_mode === 'formula' ? [draft.formula.trim()] : []),
    draft.margin_percent,
    draft.send_fee_fixed,
    draft.send_fee_percent,
    draft.receive_fee_fixed,
    draft.receive_fee_percent,
    draft.min_send,
    draft.max_send,
    ...draft.tiers.flatMap(({ from, margin_percent }) => [from, margin_percent]),
    ...draft.hours.flatMap(({ from, to }) => [from, to]),
    amount,
  ];
  const whole = [draft.rate_digits, draft.lock_minutes, draft.pay_minutes, draft.position];
  if (needed.includes('') || whole.some((text) => wholeOf(text) < 0)) return null;
  if (draft.hours.some(({ days }) => days.length === 0)) return null;
  return { ...newPairBody(draft), side, amount };
}

/** A row to begin with, above the last one; its margin is the last one's, which is always allowed. */
export function addTier({ tiers, margin_percent }: PairDraft): TierDraft {
  const last = tiers.at(-1);
  return { key: nextKey(tiers), from: '', margin_percent: last?.margin_percent ?? margin_percent };
}

/** Monday to Friday, for a desk that has written none yet. */
export function addHours({ hours }: PairDraft): HoursDraft {
  const used = new Set(hours.flatMap(({ days }) => days));
  const days = hours.length === 0 ? [1, 2, 3, 4, 5] : [6, 7].filter((day) => !used.has(day));
  return { key: nextKey(hours), days, from: '09:00', to: '18:00' };
}

export function isSorted(tiers: readonly TierDraft[]): boolean {
  return sortedTiers(tiers).every(({ key }, index) => tiers[index]?.key === key);
}

/** Ascending; what begins nowhere yet stays at the end. */
export function sortedTiers(tiers: readonly TierDraft[]): TierDraft[] {
  return tiers.toSorted((a, b) => {
    if (a.from === '' || b.from === '') return Number(a.from === '') - Number(b.from === '');
    return compare(parseDecimal(a.from), parseDecimal(b.from));
  });
}

/** Whether the hours end on the day after they began. */
export function endsNextDay({ from, to }: Pick<HoursDraft, 'from' | 'to'>): boolean {
  return from !== '' && to !== '' && to !== '00:00' && to < from;
}

function hoursOf({ days, from, to }: HoursDraft): WorkingHours {
  // A time field cannot say 24:00; an end at midnight is always the day's last moment.
  return {
    days: days.toSorted((a, b) => a - b),
    from: from.slice(0, 5),
    to: to === '00:00' ? '24:00' : to.slice(0, 5),
  };
}

function nextKey(rows: readonly { key: number }[]): number {
  return rows.reduce((most, { key }) => Math.max(most, key + 1), 0);
}
