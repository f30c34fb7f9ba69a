/**
 * What a pair's terms come to for one amount, while they are being edited: the
 * customer's lines and what the desk keeps. By the same arithmetic as the
 * service, on the texts as they stand in the form. Pure.
 */
import { formatAmount, parseAmount } from '@cambist/money/amount';
import { formatDecimal, MoneyError, parseDecimal, zero } from '@cambist/money/decimal';
import {
  customerRate,
  quoteSend,
  readTerms,
  writeQuote,
  type WireQuote,
} from '@cambist/money/quote';

/** As the form has it; it names no bounds. */
interface EditedFee {
  readonly fixed: string;
  readonly percent: string;
}

export interface PreviewTerms {
  readonly send_decimals: number;
  readonly receive_decimals: number;
  readonly mid_rate: string;
  readonly margin_percent: string;
  readonly rate_digits: number;
  readonly send_fee: EditedFee;
  readonly receive_fee: EditedFee;
}

export type Preview =
  | {
      readonly kind: 'price';
      readonly quote: WireQuote;
      /** What the margin and the rounding leave, in receive units; may be negative. */
      readonly spread: string;
      /** Spread and both fees, in receive units: the send fee at the mid rate, rounded down. */
      readonly kept: string;
    }
  | { readonly kind: 'rate_only' }
  | {
      readonly kind:
        | 'incomplete'
        | 'rate_too_small'
        | 'amount_too_small'
        | 'too_large'
        | 'unreadable';
    };

/** The customer's rate, or null while the figures do not give one. */
export function previewRate(
  terms: Pick<PreviewTerms, 'mid_rate' | 'margin_percent' | 'rate_digits'>,
): string | null {
  if (terms.mid_rate === '' || terms.margin_percent === '' || !isDigits(terms.rate_digits))
    return null;
  try {
    const rate = customerRate(
      parseDecimal(terms.mid_rate),
      parseDecimal(terms.margin_percent),
      zero,
      terms.rate_digits,
    );
    return rate.units > 0n ? formatDecimal(rate) : null;
  } catch (error) {
    if (error instanceof MoneyError) return null;
    throw error;
  }
}

export function previewOf(terms: PreviewTerms, send: string): Preview {
  const { mid_rate, margin_percent, send_fee, receive_fee } = terms;
  const typed = [
    mid_rate,
    margin_percent,
    send_fee.fixed,
    send_fee.percent,
    receive_fee.fixed,
    receive_fee.percent,
  ];
  if (typed.includes('') || !isDigits(terms.rate_digits)) return { kind: 'incomplete' };
  const rate = previewRate(terms);
  if (rate === null) return { kind: 'rate_too_small' };
  if (send === '') return { kind: 'rate_only' };
  try {
    const priced = readTerms({
      ...terms,
      rate,
      tiers: [],
      send_fee: { ...send_fee, min: null, max: null },
      receive_fee: { ...receive_fee, min: null, max: null },
      payout_step: formatAmount(1n, terms.receive_decimals),
    });
    const quote = quoteSend(priced, parseAmount(send, terms.send_decimals));
    // What the whole amount is worth at mid, less what the customer gets: nothing is counted twice.
    const atMid = quoteSend(
      {
        ...priced,
        rate: priced.mid ?? priced.rate,
        sendFee: { ...priced.sendFee, fixed: 0n, percent: zero },
      },
      quote.send,
    );
    return {
      kind: 'price',
      quote: writeQuote(quote, priced),
      spread: formatAmount(quote.spread, terms.receive_decimals),
      kept: formatAmount(atMid.gross - quote.payout, terms.receive_decimals),
    };
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    return { kind: troubleOf(error) };
  }
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

function troubleOf({ code }: MoneyError): 'amount_too_small' | 'too_large' | 'unreadable' {
  if (code === 'amount_too_small') return 'amount_too_small';
  return code === 'amount_too_large' || code === 'too_many_digits' ? 'too_large' : 'unreadable';
}

function isDigits(digits: number): boolean {
  return Number.isInteger(digits) && digits >= 0 && digits <= 18;
}
