/** Pure: the amounts that may be sent in one pair, and which limit an amount breaks. */
import type { PublicCurrency } from '@cambist/contract/currencies';
import { formatAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { quoteReceive, quoteSend, type PriceTerms } from '@cambist/money/quote';
import type { PairRow } from './store.ts';
import { terms, type LimitedPrice } from './terms.ts';

/**
 * The smallest and largest amount of one exchange, in minor units: the tightest of the pair's
 * limits (also per day and month) and of both currencies', such that something is paid out and
 * the quote stays countable. Null without a price, or where no amount satisfies all limits.
 */
export function sendLimits(pair: LimitedPrice): { min: bigint; max: bigint } | null {
  const priced = terms(pair);
  if (priced === null || priced.rate.units <= 0n) return null;
  const { send, receive } = pair;
  // The payout never falls as the send amount rises (tiers may only lower the margin), so the
  // least send for a payout also gives the most send for any smaller payout: one unit less.
  const least = leastSend(priced, receive.min_receive ?? 1n);
  if (least === null) return null;
  const min = largest(pair.min_send, send.min_send, least);
  const above = receive.max_receive === null ? null : leastSend(priced, receive.max_receive + 1n);
  const { max_send, day_max_send: day, month_max_send: month } = pair;
  const allowed = smallest(max_send, day, month, send.max_send, above === null ? null : above - 1n);
  const max = mostSend(priced, allowed);
  return min > max ? null : { min, max };
}

/** The limit may have been set at another rate: the largest amount up to it that can be quoted. */
function mostSend(priced: PriceTerms, allowed: bigint): bigint {
  if (!isTooLarge(priced, allowed)) return allowed;
  let [accepted, refused] = [0n, allowed];
  while (refused - accepted > 1n) {
    const middle = (accepted + refused) / 2n;
    if (isTooLarge(priced, middle)) refused = middle;
    else accepted = middle;
  }
  return accepted;
}

function isTooLarge(priced: PriceTerms, send: bigint): boolean {
  try {
    quoteSend(priced, send);
    return false;
  } catch (error) {
    return error instanceof MoneyError && error.code === 'amount_too_large';
  }
}

/** Null where no countable amount reaches the payout. */
function leastSend(priced: PriceTerms, payout: bigint): bigint | null {
  try {
    return quoteReceive(priced, payout).send;
  } catch (error) {
    if (error instanceof MoneyError && error.code === 'amount_too_large') return null;
    throw error;
  }
}

function largest(first: bigint, ...others: (bigint | null)[]): bigint {
  return others.reduce<bigint>((most, each) => (each !== null && each > most ? each : most), first);
}

function smallest(first: bigint, ...others: (bigint | null)[]): bigint {
  return others.reduce<bigint>(
    (least, each) => (each !== null && each < least ? each : least),
    first,
  );
}

/** The limit that an amount breaks, as a sentence; null where it satisfies all of them. */
export function limitViolation(
  pair: LimitedPrice & Pick<PairRow, 'send'>,
  sendMinor: bigint,
): string | null {
  const limits = sendLimits(pair);
  if (limits === null) return 'No amount can be exchanged in this direction.';
  if (sendMinor < limits.min) return `You must send at least ${withUnit(limits.min, pair.send)}.`;
  for (const [limit, window] of volumeLimits(pair))
    if (limit !== null && limit === limits.max && sendMinor > limit)
      return `You can send at most ${withUnit(limit, pair.send)} in ${window} in this direction.`;
  if (sendMinor > limits.max)
    return `You can send at most ${withUnit(limits.max, pair.send)} at a time.`;
  return null;
}

type VolumeLimited = Pick<PairRow, 'day_max_send' | 'month_max_send'>;

function volumeLimits(pair: VolumeLimited) {
  return [
    [pair.day_max_send, '24 hours'],
    [pair.month_max_send, '30 days'],
  ] as const;
}

/** What has been sent in a direction already, in minor units. */
interface SentVolume {
  readonly day: bigint;
  readonly month: bigint;
  /** A part of the day's was cancelled or expired. */
  readonly ended: boolean;
  /** By several customers to one payout account. */
  readonly together?: true;
}

export const endedCount = ' Cancelled and expired exchanges count for 24 hours.';

/** The limit per day or month that an amount breaks after this volume; null where it breaks none. */
export function volumeViolation(
  pair: VolumeLimited & Pick<PairRow, 'send'>,
  sent: SentVolume,
  sendMinor: bigint,
): string | null {
  const used = [sent.day, sent.month];
  for (const [index, [limit, window]] of volumeLimits(pair).entries()) {
    const before = used[index] ?? 0n;
    if (limit === null || before + sendMinor <= limit) continue;
    // What others sent is not said.
    if (sent.together)
      return `To one payout account ${withUnit(limit, pair.send)} can be sent in ${window} in this direction, by all customers together.`;
    const left = limit > before ? limit - before : 0n;
    const reason = index === 0 && sent.ended ? endedCount : '';
    return `You can send ${withUnit(limit, pair.send)} in ${window} in this direction; ${withUnit(left, pair.send)} of it are left.${reason}`;
  }
  return null;
}

/** As `limitViolation` for amounts that a quote has frozen: each side's own limits, at any rate. */
export function frozenLimitViolation(
  { send, receive, ...pair }: Pick<PairRow, 'send' | 'receive' | 'min_send' | 'max_send'>,
  { send_minor, payout_minor }: { readonly send_minor: bigint; readonly payout_minor: bigint },
): string | null {
  for (const least of [pair.min_send, send.min_send]) {
    if (least !== null && send_minor < least)
      return `You must send at least ${withUnit(least, send)}.`;
  }
  for (const most of [pair.max_send, send.max_send]) {
    if (most !== null && send_minor > most)
      return `You can send at most ${withUnit(most, send)} at a time.`;
  }
  const { min_receive, max_receive } = receive;
  if (min_receive !== null && payout_minor < min_receive)
    return `At least ${withUnit(min_receive, receive)} must be paid out.`;
  if (max_receive !== null && payout_minor > max_receive)
    return `At most ${withUnit(max_receive, receive)} can be paid out at a time.`;
  return null;
}

/** `500.00 USD`: for sentences; screens format for their locale. */
export function withUnit(minor: bigint, currency: PublicCurrency): string {
  return `${formatAmount(minor, currency.decimals)} ${currency.unit}`;
}
