/** A pair while it is being edited, and the bodies that are sent of it. Pure. */
import type { WorkingHours } from '@cambist/contract/pair-terms';
import type { createPair, Pair, previewPair, updatePair } from '@cambist/contract/pairs';
import type { BodyOf } from '@cambist/contract/endpoint';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { wholeOf } from '#lib/forms/whole-number.ts';

type NewPairBody = BodyOf<typeof createPair>;
type PreviewBody = BodyOf<typeof previewPair>;
export type PairChanges = Omit<BodyOf<typeof updatePair>, 'version'>;
export type RateMode = Pair['rate_mode'];

/** The rate that the operator confirmed, once the service has asked. */
export type Confirmed = Pick<NewPairBody, 'confirm_rate'>;

interface FeeDraft {
  fixed: string;
  percent: string;
  min: string;
  max: string;
}

interface TierDraft {
  from: string;
  margin_percent: string;
}

/** As the browser's time fields write it; midnight as the end is `00:00`. */
export interface HoursDraft {
  days: number[];
  from: string;
  to: string;
}

/** Optional: '' for none. */
type Bound = 'payout_step' | 'rate_min' | 'rate_max' | 'day_max_send' | 'month_max_send';
type Figure = Bound | 'mid_rate' | 'margin_percent' | 'margin_absolute' | 'min_send' | 'max_send';
type Whole = 'rate_digits' | 'lock_minutes' | 'pay_minutes' | 'position';
type Chosen = 'rate_mode' | 'evidence' | 'complete_on_approval' | 'active';

/** Figures as canonical decimal text; '' while nothing readable is typed. */
export interface PairDraft extends Record<Figure | Whole, string>, Pick<Pair, Chosen> {
  send: string;
  receive: string;
  formula: string;
  /** ISO 8601, or ''. */
  mid_until: string;
  tiers: TierDraft[];
  send_fee: FeeDraft;
  receive_fee: FeeDraft;
  hours: HoursDraft[];
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
    tiers: pair.tiers.map((tier) => ({ ...tier })),
    send_fee: feeDraft(pair.send_fee),
    receive_fee: feeDraft(pair.receive_fee),
    payout_step: pair.payout_step ?? '',
    hours: (pair.hours ?? []).map(({ days, from, to }) => ({
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
    send_fee: { fixed: '0', percent: '0', min: '', max: '' },
    receive_fee: { fixed: '0', percent: '0', min: '', max: '' },
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
    send_fee: feeBody(draft.send_fee),
    receive_fee: feeBody(draft.receive_fee),
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
    ...[draft.send_fee, draft.receive_fee].flatMap(({ fixed, percent }) => [fixed, percent]),
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

/**
 * An amount to begin with: ten times the least, where that is allowed. Texts in
 * major units; '' while the limits cannot be read.
 */
export function openingAmount(least: string, most: string, decimals: number): string {
  try {
    const ten = parseAmount(least, decimals) * 10n;
    return formatAmount(ten <= parseAmount(most, decimals) ? ten : ten / 10n, decimals);
  } catch (error) {
    if (error instanceof MoneyError) return '';
    throw error;
  }
}

/** Monday to Friday at first, then the days that have no hours yet. */
export function nextHours({ hours }: Pick<PairDraft, 'hours'>): HoursDraft {
  const used = new Set(hours.flatMap(({ days }) => days));
  const days = hours.length === 0 ? [1, 2, 3, 4, 5] : [6, 7].filter((day) => !used.has(day));
  return { days, from: '09:00', to: '18:00' };
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

function feeDraft({ min, max, ...fee }: Pair['send_fee']): FeeDraft {
  return { ...fee, min: min ?? '', max: max ?? '' };
}

function feeBody({ min, max, ...fee }: FeeDraft): Pair['send_fee'] {
  return { ...fee, min: min || null, max: max || null };
}
