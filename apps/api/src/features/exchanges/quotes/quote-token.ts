/**
 * The token of a quote: a JSON array, signed with a key for quotes only. Its `quote_id` is unique
 * among exchanges, so it can be redeemed once.
 */
import type { Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { FeeTermsJson } from '#platform/db/json-columns.ts';
import type { Keys } from '#platform/security/keys.ts';
import type { Figures } from '#features/pairs/price.ts';

export interface QuotedPrice extends Figures {
  readonly quote_id: Id;
  readonly pair_id: Id;
  readonly pair_version: number;
  readonly side: 'send' | 'receive';
  readonly expires_at: Date;
  /** Null for a guest's quote, which anyone may redeem. */
  readonly user_id: Id | null;
}

/** A change of the fields needs a new number, which makes older tokens invalid. */
const FORMAT = 3;
const PURPOSE = 'quote';

export function signQuote(keys: Keys, price: QuotedPrice): string {
  const fields = [
    FORMAT,
    price.quote_id,
    price.pair_id,
    price.pair_version,
    price.side,
    String(price.send_minor),
    String(price.send_fee_minor),
    price.rate,
    price.rate_digits,
    String(price.gross_minor),
    String(price.receive_fee_minor),
    String(price.payout_minor),
    price.mid_rate,
    price.mid_source,
    price.mid_as_of?.getTime() ?? null,
    price.mid_value_minor === null ? null : String(price.mid_value_minor),
    price.margin_percent,
    price.margin_absolute,
    price.fee_terms,
    price.expires_at.getTime(),
    price.user_id,
  ];
  const text = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${text}.${keys.sign(PURPOSE, text)}`;
}

/**
 * Checks neither expiry, nor use, nor owner.
 * @throws Refusal 409 `quote_invalid` without a valid signature
 */
export function readQuote(keys: Keys, token: string): QuotedPrice {
  const [text = '', signature = '', ...rest] = token.split('.');
  // Nothing unsigned is parsed.
  if (rest.length > 0 || !keys.verify(PURPOSE, text, signature)) throw invalidQuote();
  const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(fields) || fields[0] !== FORMAT) throw invalidQuote();
  // The signature guarantees the positions of signQuote.
  const [, quoteId, pairId, pairVersion, side, send, sendFee, rate, rateDigits, gross] = fields as [
    number,
    Id,
    Id,
    number,
    'send' | 'receive',
    string,
    string,
    string,
    number,
    string,
  ];
  const [receiveFee, payout, midRate, midSource, midAsOf, midValue] = fields.slice(10) as [
    string,
    string,
    string | null,
    string | null,
    number | null,
    string | null,
  ];
  const [margin, absolute, feeTerms, expiresAt, userId] = fields.slice(16) as [
    string,
    string,
    FeeTermsJson,
    number,
    Id | null,
  ];
  return {
    quote_id: quoteId,
    pair_id: pairId,
    pair_version: pairVersion,
    side,
    send_minor: BigInt(send),
    send_fee_minor: BigInt(sendFee),
    rate,
    rate_digits: rateDigits,
    gross_minor: BigInt(gross),
    receive_fee_minor: BigInt(receiveFee),
    payout_minor: BigInt(payout),
    mid_rate: midRate,
    mid_source: midSource,
    mid_as_of: midAsOf === null ? null : new Date(midAsOf),
    mid_value_minor: midValue === null ? null : BigInt(midValue),
    margin_percent: margin,
    margin_absolute: absolute,
    fee_terms: feeTerms,
    expires_at: new Date(expiresAt),
    user_id: userId,
  };
}

function invalidQuote(): Refusal {
  return new Refusal(409, 'quote_invalid', 'This quote is not valid. Ask for a new one.');
}
