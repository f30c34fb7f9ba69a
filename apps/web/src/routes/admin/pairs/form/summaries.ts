/** What each folded part of a pair's form says now, in a line. */
import { formatFigure } from '#lib/format/figure.ts';
import { hoursInWords } from '#lib/rates/hours-words.ts';
import { shortFigure } from '#lib/format/short-figure.ts';
import { m } from '#lib/paraglide/messages.js';
import type { PairDraft } from '../draft.ts';

interface Words {
  readonly locale: string;
  readonly send: string | undefined;
  readonly receive: string | undefined;
}

const isNone = (figure: string) => /^-?[0.]*$/.test(figure);
const joined = (parts: readonly (string | null)[]) =>
  parts.filter((part) => part !== null).join(', ');

function amount(figure: string, unit: string | undefined, locale: string): string {
  return [formatFigure(shortFigure(figure), locale), unit].filter(Boolean).join('\u00a0');
}

export function tiersSummary({ tiers }: PairDraft, { locale, send }: Words): string {
  const first = tiers[0];
  if (first === undefined) return m.pairs_tiers_none();
  return m.pairs_tiers_count({ count: tiers.length, from: amount(first.from, send, locale) });
}

export function feesSummary(draft: PairDraft, { locale, send, receive }: Words): string {
  const feeOf = (side: 'send' | 'receive', unit: string | undefined) => {
    const { percent, fixed, min, max } = draft[`${side}_fee`];
    const parts = [
      isNone(percent) ? null : `${formatFigure(percent, locale)}\u202f%`,
      isNone(fixed) ? null : amount(fixed, unit, locale),
    ].filter((part) => part !== null);
    const least = isNone(min) ? null : m.pairs_fee_at_least({ amount: amount(min, unit, locale) });
    if (parts.length === 0 && least === null) return null;
    return joined([
      parts.join(' + ') || null,
      least,
      max === '' ? null : m.pairs_fee_at_most({ amount: amount(max, unit, locale) }),
    ]);
  };
  const [sendFee, receiveFee] = [feeOf('send', send), feeOf('receive', receive)];
  const parts = [
    sendFee === null ? null : m.pairs_fee_send_short({ fee: sendFee }),
    receiveFee === null ? null : m.pairs_fee_receive_short({ fee: receiveFee }),
  ].filter((part) => part !== null);
  return parts.length === 0 ? m.pairs_fees_none() : parts.join('; ');
}

export function exactSummary(draft: PairDraft, { locale, receive }: Words): string {
  const figure = (text: string) => formatFigure(text, locale);
  const { rate_min: low, rate_max: high, margin_absolute: absolute, payout_step: step } = draft;
  const bounds =
    low !== '' && high !== ''
      ? m.pairs_bounds_short({ low: figure(low), high: figure(high) })
      : low !== ''
        ? m.pairs_bounds_from_short({ low: figure(low) })
        : high !== ''
          ? m.pairs_bounds_to_short({ high: figure(high) })
          : null;
  return joined([
    m.pairs_digits_short({ digits: draft.rate_digits }),
    isNone(absolute) ? null : m.pairs_absolute_short({ amount: amount(absolute, receive, locale) }),
    bounds,
    step === '' ? null : m.pairs_step_short({ step: amount(step, receive, locale) }),
  ]);
}

export function hoursSummary({ hours }: PairDraft, { locale }: Words): string {
  if (hours.length === 0) return m.pairs_hours_none();
  return hoursInWords(hours, locale);
}

export function timesSummary({ lock_minutes: lock, pay_minutes: pay }: PairDraft): string {
  return m.pairs_times_short({ lock, pay });
}

export function workSummary(draft: PairDraft): string {
  const evidence = {
    proof: m.admin_evidence_proof,
    reference: m.admin_evidence_reference,
    either: m.admin_evidence_either_text,
  }[draft.evidence]();
  return draft.complete_on_approval ? m.pairs_complete_short({ evidence }) : evidence;
}
