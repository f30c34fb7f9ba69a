/** Quotes: a price locked for some minutes, as a signed token without a row and without a hold. */
import type { Quote } from '@cambist/contract/quotes';
import type { Actor } from '#kernel/actor.ts';
import { MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { publicCurrency } from '#features/currencies/currencies.ts';
import { frozenLimitViolation, limitViolation } from '#features/pairs/limits.ts';
import { readPolicy } from '#features/pairs/policy.ts';
import { breakdownOf, figuresOf, priceOf } from '#features/pairs/price.ts';
import { reserveRefusal } from '#features/pairs/reserves.ts';
import { quoteRefusal, requireSwitchedOn, statusOf } from '#features/pairs/state.ts';
import { findPair, type PairRow } from '#features/pairs/pairs.ts';
import { readQuote, signQuote, type QuotedPrice } from './quote-token.ts';
import type { ExchangeContext } from '../context.ts';
import { customerLimitViolation } from './customer-limits.ts';

export interface QuoteAsk {
  readonly pair: string;
  readonly side: 'send' | 'receive';
  /** In major units. */
  readonly amount: string;
}

/**
 * A signed-in user's quote can only be redeemed by that user.
 * @throws Refusal 422 on `pair` or `amount`, also `reserve_exceeded`; 409 `pair_unavailable`, 503 `rates_stale`
 */
export async function quote(
  context: Pick<ExchangeContext, 'db' | 'desk' | 'keys' | 'readTime' | 'published'>,
  actor: Actor | null,
  { pair: slug, side, amount }: QuoteAsk,
): Promise<Quote> {
  const pair = await findPair(context.db, { slug });
  if (!pair) throw invalid({ pair: 'The selected pair is invalid.' });
  const now = await context.readTime(context.db);
  const policy = await readPolicy(context);
  const status = statusOf(pair, policy, now);
  const refusal = quoteRefusal(pair, status, policy.timeZone);
  if (refusal) throw refusal;
  const price: QuotedPrice = {
    quote_id: newId(),
    pair_id: pair.id,
    pair_version: pair.version,
    side,
    ...figuresOf(pair, priceOf(pair, side, amount), now),
    expires_at: lockEnd(pair.mid_until, status.lockMinutes, now),
    user_id: actor?.id ?? null,
  };
  const unpayable = await reserveRefusal(context, pair, price.payout_minor);
  if (unpayable) throw unpayable;
  // Checked again at the creation of the exchange.
  const violation =
    limitViolation(pair, price.send_minor) ??
    (actor &&
      (await customerLimitViolation(context.db, context.desk, {
        userId: actor.id,
        pair,
        price,
        account: null,
        now,
      })));
  if (violation !== null) throw invalid({ amount: violation });
  return {
    pair: pair.slug,
    send: publicCurrency(pair.send),
    receive: publicCurrency(pair.receive),
    ...breakdownOf(price, pair),
    token: signQuote(context.keys, price),
    expires_at: price.expires_at.toISOString(),
    server_time: now.toISOString(),
  };
}

/** A quote is not locked beyond the end of a manual rate. */
function lockEnd(until: Date | null, lockMinutes: number, now: Date): Date {
  const end = new Date(now.getTime() + lockMinutes * MINUTE);
  return until !== null && until < end ? until : end;
}

/** Reads an accepted quote. @throws Refusal 409 `quote_invalid`, also for another user's */
export function readOwnQuote(
  { keys }: Pick<ExchangeContext, 'keys'>,
  token: string,
  userId: string,
): QuotedPrice {
  const price = readQuote(keys, token);
  if (price.user_id === null || price.user_id === userId) return price;
  throw new Refusal(
    409,
    'quote_invalid',
    'This quote was given to someone else. Ask for a new one.',
  );
}

/**
 * The pair of an accepted quote. The price is valid even if the pair's rate has changed or is stale, or
 * the pair is closed; the pair must be switched on and the amounts within its current limits.
 * @throws Refusal 409 `quote_invalid`, `quote_expired`, `pair_unavailable`, `limit_exceeded`
 */
export function requireRedeemable(
  price: QuotedPrice,
  pair: PairRow | undefined,
  now: Date,
): PairRow {
  if (now >= price.expires_at) {
    throw new Refusal(409, 'quote_expired', 'This quote has expired. Ask for a new one.');
  }
  if (!pair) throw new Refusal(409, 'quote_invalid', 'This quote is not valid. Ask for a new one.');
  requireSwitchedOn(pair);
  const violation = frozenLimitViolation(pair, price);
  if (violation !== null) throw new Refusal(409, 'limit_exceeded', violation);
  return pair;
}
