/** A pair while it is being edited, and the body that is sent of it. Pure. */
import type { createPair, Pair } from '@cambist/contract/pairs';
import type { BodyOf } from '@cambist/contract/endpoint';
import type { PreviewTerms } from './preview.ts';

type PairBody = BodyOf<typeof createPair>;
export type PairChanges = Omit<PairBody, 'send' | 'receive' | 'mid_rate'>;

/** Figures as canonical decimal text; '' while nothing readable is typed. */
export interface PairDraft {
  send: string;
  receive: string;
  mid_rate: string;
  margin_percent: string;
  rate_digits: string;
  send_fee_fixed: string;
  send_fee_percent: string;
  receive_fee_fixed: string;
  receive_fee_percent: string;
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
    mid_rate: pair.mid_rate ?? '',
    margin_percent: pair.margin_percent,
    rate_digits: String(pair.rate_digits),
    send_fee_fixed: pair.send_fee.fixed,
    send_fee_percent: pair.send_fee.percent,
    receive_fee_fixed: pair.receive_fee.fixed,
    receive_fee_percent: pair.receive_fee.percent,
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
    mid_rate: '',
    margin_percent: '1',
    rate_digits: '6',
    send_fee_fixed: '0',
    send_fee_percent: '0',
    receive_fee_fixed: '0',
    receive_fee_percent: '0',
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

export function changesOf(draft: PairDraft): PairChanges {
  return {
    margin_percent: draft.margin_percent,
    rate_digits: wholeOf(draft.rate_digits),
    send_fee: { fixed: draft.send_fee_fixed, percent: draft.send_fee_percent },
    receive_fee: { fixed: draft.receive_fee_fixed, percent: draft.receive_fee_percent },
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
  };
}

export function newPairBody(draft: PairDraft): PairBody {
  return {
    send: draft.send,
    receive: draft.receive,
    mid_rate: draft.mid_rate,
    ...changesOf(draft),
  };
}

export function previewTerms(
  draft: PairDraft,
  sendDecimals: number,
  receiveDecimals: number,
): PreviewTerms {
  return {
    send_decimals: sendDecimals,
    receive_decimals: receiveDecimals,
    mid_rate: draft.mid_rate,
    margin_percent: draft.margin_percent,
    rate_digits: wholeOf(draft.rate_digits),
    send_fee: { fixed: draft.send_fee_fixed, percent: draft.send_fee_percent },
    receive_fee: { fixed: draft.receive_fee_fixed, percent: draft.receive_fee_percent },
  };
}

/** A count, not an amount. What is no whole number becomes −1, which the service names as wrong. */
function wholeOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number.parseInt(text, 10) : -1;
}
