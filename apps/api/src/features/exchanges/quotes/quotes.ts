/**
 * Quotes: a price that is held for the pair's lock time, as a signed token. It
 * holds no reserve and costs no row; it is judged again when it is redeemed.
 */
import type { Quote } from '@cambist/contract/quotes';
import type { Actor } from '#kernel/actor.ts';
import { MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import { publicCurrency } from '#features/currencies/currencies.ts';
import {
  breakdownOf,
  brokenLimit,
  brokenPromise,
  figuresOf,
  findPair,
  priceOf,
  quoteRefusal,
  readPolicy,
  requireSwitchedOn,
  sharePair,
  standingOf,
  type PairRow,
} from '#features/pairs/pairs.ts';
import { readQuote, signQuote, type QuotedPrice } from './quote-token.ts';
import type { ExchangeContext } from '../context.ts';
import { volumeFault } from './customer-volume.ts';

export interface QuoteAsk {
  readonly pair: string;
  readonly side: 'send' | 'receive';
  /** In major units. */
  readonly amount: string;
}

/**
 * Prices an amount for anyone; for somebody who is signed in the quote is
 * theirs alone.
 * @throws Refusal 422 on `pair` or `amount`, 409 `pair_unavailable`, 503 `rates_stale`
 */
export async function quote(
  context: Pick<ExchangeContext, 'db' | 'keys' | 'readTime' | 'published'>,
  actor: Actor | null,
  { pair: slug, side, amount }: QuoteAsk,
): Promise<Quote> {
  const pair = await findPair(context.db, { slug });
  if (!pair) throw invalid({ pair: 'The selected pair is invalid.' });
  const now = await context.readTime(context.db);
  const policy = await readPolicy(context);
  const standing = standingOf(pair, policy, now);
  const refusal = quoteRefusal(pair, standing, policy.timeZone);
  if (refusal) throw refusal;
  const price: QuotedPrice = {
    quote_id: newId(),
    pair_id: pair.id,
    pair_version: pair.version,
    side,
    ...figuresOf(pair, priceOf(pair, side, amount), now),
    expires_at: lockEnd(pair.mid_until, standing.lockMinutes, now),
    user_id: actor?.id ?? null,
  };
  const sendMinor = price.send_minor;
  // Nobody is offered a price that the exchange would refuse them.
  const fault =
    brokenLimit(pair, sendMinor) ??
    (actor && (await volumeFault(context.db, pair, { userId: actor.id, sendMinor, now })));
  if (fault !== null) throw invalid({ amount: fault });
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

/** A rate that was set by hand until some time is promised no longer than that. */
function lockEnd(until: Date | null, lockMinutes: number, now: Date): Date {
  const end = new Date(now.getTime() + lockMinutes * MINUTE);
  return until !== null && until < end ? until : end;
}

/**
 * Reads a quote that is being accepted. Its price stands even when the pair's
 * has changed since, grown stale or left its hours; its pair must still be
 * switched on and its amounts within the limits of now.
 * @throws Refusal 409 `quote_invalid`, `quote_expired`, `pair_unavailable`, `limit_exceeded`
 */
export async function redeem(
  { keys }: Pick<ExchangeContext, 'keys'>,
  tx: Tx,
  ask: { readonly token: string; readonly userId: string; readonly now: Date },
): Promise<{ price: QuotedPrice; pair: PairRow }> {
  const price = readQuote(keys, ask.token);
  if (price.user_id !== null && price.user_id !== ask.userId) {
    throw new Refusal(
      409,
      'quote_invalid',
      'This quote was given to someone else. Ask for a new one.',
    );
  }
  if (ask.now >= price.expires_at) {
    throw new Refusal(
      409,
      'quote_expired',
      'The price was held until a moment ago. Ask for a new one.',
    );
  }
  const pair = await sharePair(tx, price.pair_id);
  if (!pair) throw new Refusal(409, 'quote_invalid', 'This quote is not valid. Ask for a new one.');
  requireSwitchedOn(pair);
  const fault = brokenPromise(pair, price);
  if (fault !== null) throw new Refusal(409, 'limit_exceeded', fault);
  return { price, pair };
}
