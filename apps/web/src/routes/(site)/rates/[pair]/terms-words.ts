/** Fees, limits and times of a pair as text. */
import type { CustomerLimits } from '@cambist/contract/pair-terms';
import type { ConverterPair } from '@cambist/contract/pairs';
import { compare, parseDecimal } from '@cambist/money/decimal';
import type { Direction } from '#lib/converter/price.ts';
import { reserveText } from '#lib/converter/reserve-text.ts';
import { spanInWords } from '#lib/format/duration.ts';
import { formatFigure } from '#lib/format/figure.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import { hoursInWords } from '#lib/rates/hours-words.ts';
import { roundLimit } from '#lib/format/round-limit.ts';

export interface Term {
  label: string;
  text: string;
}

/** `zone`: the desk's time zone, an IANA name. */
export function termsInWords(
  { pair, send, receive }: Direction,
  overall: CustomerLimits,
  zone: string,
): Term[] {
  const hours = hoursTerm(pair, zone);
  return [
    ...pair.tiers.map(({ from, rate }) => ({
      label: m.site_rate_terms_tier({ amount: limit(from), unit: send.unit }),
      text: `1 ${send.unit} = ${figure(rate)} ${receive.unit}`,
    })),
    ...feesInWords({ pair, send, receive }),
    {
      label: m.site_rate_terms_limits(),
      text: m.site_rate_terms_limits_text({
        min: limit(pair.min),
        max: limit(pair.max),
        unit: send.unit,
      }),
    },
    ...windowsInWords({ pair, send, receive }),
    ...overallInWords(overall),
    { label: m.site_rate_terms_reserve(), text: reserveText(receive) },
    ...payoutStep(pair, receive),
    { label: m.site_rate_terms_held(), text: spanInWords(pair.lock_minutes, getLocale()) },
    { label: m.ui_time_to_pay(), text: spanInWords(pair.pay_minutes, getLocale()) },
    ...(hours ? [hours] : []),
    ...(pair.payout_time ? [{ label: m.site_rate_terms_payout(), text: pair.payout_time }] : []),
  ];
}

export function feesInWords({ pair, send, receive }: Direction): Term[] {
  return [
    { label: m.exchange_price_fee(), text: feeInWords(pair.fees.send, send.unit) },
    { label: m.exchange_price_payout_fee(), text: feeInWords(pair.fees.receive, receive.unit) },
  ];
}

/** Opening hours; null for always. */
export function hoursTerm({ hours }: Pick<ConverterPair, 'hours'>, zone: string): Term | null {
  if (hours === null) return null;
  const text = m.site_rate_hours_zone({ hours: hoursInWords(hours, getLocale()), zone });
  return { label: m.site_rate_hours(), text };
}

/** Limits for one customer in a day and a month. */
export function windowsInWords({ pair, send: { unit } }: Direction): Term[] {
  return [
    ...windowInWords(m.site_rate_terms_day(), pair.day_max, unit),
    ...windowInWords(m.site_rate_terms_month(), pair.month_max, unit),
  ];
}

/** Limits for one customer over all pairs together. */
function overallInWords({ unit, day, month }: CustomerLimits): Term[] {
  return [
    ...windowInWords(m.site_rate_terms_overall_day(), day, unit),
    ...windowInWords(m.site_rate_terms_overall_month(), month, unit),
  ];
}

function windowInWords(label: string, most: string | null, unit: string): Term[] {
  if (most === null) return [];
  return [{ label, text: m.site_rate_terms_window({ amount: limit(most), unit }) }];
}

/** `1.50 USD and 0.25 % of the amount, at least 2.00 USD`. */
export function feeInWords(
  { fixed, percent, min, max }: ConverterPair['fees']['send'],
  unit: string,
): string {
  const amount = (value: string) => `${limit(value)} ${unit}`;
  const share = m.site_rate_terms_fee_percent({ percent: figure(percent) });
  if (isNone(fixed) && isNone(percent)) {
    return min === null || isNone(min) ? m.site_rate_terms_no_fee() : amount(min);
  }
  if (isNone(percent)) return bounded(amount(fixed), null, null, amount);
  const fee = isNone(fixed)
    ? share
    : m.site_rate_terms_fee_and({ fixed: amount(fixed), percent: share });
  return bounded(fee, min, max, amount);
}

function bounded(
  fee: string,
  min: string | null,
  max: string | null,
  amount: (value: string) => string,
): string {
  const least = min === null || isNone(min) ? null : amount(min);
  if (least !== null && max !== null)
    return m.site_rate_terms_fee_between({ fee, min: least, max: amount(max) });
  if (least !== null) return m.site_rate_terms_fee_least({ fee, amount: least });
  return max === null ? fee : m.site_rate_terms_fee_most({ fee, amount: amount(max) });
}

/** For payouts in steps. */
function payoutStep({ payout_step }: ConverterPair, receive: Direction['receive']): Term[] {
  const smallest = { units: 1n, scale: receive.decimals };
  if (compare(parseDecimal(payout_step), smallest) <= 0) return [];
  const text = m.site_rate_terms_step_text({ step: limit(payout_step), unit: receive.unit });
  return [{ label: m.site_rate_terms_step(), text }];
}

function isNone(amount: string): boolean {
  return /^[0.]+$/.test(amount);
}

function figure(decimal: string): string {
  return formatFigure(decimal, getLocale());
}

function limit(amount: string): string {
  return figure(roundLimit(amount));
}
