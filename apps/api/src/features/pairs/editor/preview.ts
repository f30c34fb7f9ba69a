/** The preview of a draft: the pair as it would be saved, priced for one amount. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { PairPreview, previewPair } from '@cambist/contract/pairs';
import { formatAmount } from '@cambist/money/amount';
import { compare, formatDecimal, parseDecimal } from '@cambist/money/decimal';
import { readMarket } from '#features/rates/market/market.ts';
import type { Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { midRateView, withMarketReason } from '../admin-view.ts';
import { limitViolation, sendLimits } from '../limits.ts';
import { carriedMidRate, freshMarketRate, noMidRate, type MidRate } from '../mid-rate.ts';
import { readJumpPercent, readPolicy } from '../policy.ts';
import { breakdownOf, deskMargin, figuresOf, priceOf } from '../price.ts';
import { customerRates, publicStatus } from '../public-views.ts';
import { endOrNull, quoteRefusal, statusOf } from '../state.ts';
import * as store from '../store.ts';
import type { PairRow } from '../store.ts';
import { terms } from '../terms.ts';
import type { Draft } from './columns.ts';
import { rateChange } from './confirmation.ts';
import { readDraft } from './draft.ts';

/** @throws Refusal 422 by field of the draft, or on `amount` */
export async function preview(
  deps: Pick<Deps, 'db' | 'published'>,
  { side, amount, ...draft }: BodyOf<typeof previewPair>,
): Promise<PairPreview> {
  const policy = await readPolicy(deps);
  const now = await databaseTime(deps.db);
  const { pair, saved } = await draftPair(deps.db, draft, now);
  const market = await readMarket(deps.db);
  const status = withMarketReason(pair, statusOf(pair, policy, now), market);
  const marketRate = freshMarketRate(market, pair);
  const limits = sendLimits(pair);
  const sent = (minor: bigint) => formatAmount(minor, pair.send.decimals);
  const priced = terms(pair);
  const quote = priced && priceOf(pair, side, amount);
  return {
    ...midRateView(pair),
    ...customerRates(pair),
    ...publicStatus(status),
    state_reason: status.reason,
    lock_minutes: status.lockMinutes,
    limits: limits && {
      min: sent(limits.min),
      max: sent(limits.max),
      day: pair.day_max_send === null ? null : sent(pair.day_max_send),
      month: pair.month_max_send === null ? null : sent(pair.month_max_send),
    },
    breakdown: quote && breakdownOf(figuresOf(pair, quote, now), pair),
    margin: quote && deskMargin(quote, priced),
    market: marketRate && {
      rate: formatDecimal(marketRate.rate),
      source: marketRate.source,
      as_of: endOrNull(marketRate.asOf)?.toISOString() ?? null,
    },
    market_percent:
      (quote && marketRate && deskMargin(quote, { ...priced, mid: marketRate.rate })?.percent) ??
      null,
    rate_change: rateChange({
      before: saved,
      after: pair,
      market: marketRate,
      jumpPercent: await readJumpPercent(deps),
    }),
    refusal:
      quoteRefusal(pair, status, policy.timeZone)?.message ??
      (quote && limitViolation(pair, quote.send)),
  };
}

/** The pair with the draft applied, and the saved one. */
async function draftPair(
  db: Db,
  draft: Draft,
  now: Date,
): Promise<{ readonly pair: PairRow; readonly saved: PairRow | null }> {
  const { slug, sides, columns, mid } = await readDraft(db, draft, 'preview');
  const saved = (await store.findPair(db, { slug })) ?? null;
  const pair = {
    ...(saved ?? { ...noMidRate, id: slug, version: 1, created_at: now, updated_at: now }),
    ...columns,
    ...(saved ? changedMidRate(saved, columns, mid, now) : mid),
    slug,
    send_currency_id: sides.send.id,
    receive_currency_id: sides.receive.id,
    ...sides,
  };
  return { pair, saved };
}

/** Empty where the draft leaves the saved pair's mid rate alone. */
function changedMidRate(
  saved: PairRow,
  { rate_mode, formula }: Pick<PairRow, 'formula' | 'rate_mode'>,
  mid: MidRate,
  now: Date,
): Partial<MidRate> {
  if (saved.rate_mode === rate_mode && saved.formula === formula)
    return rate_mode === 'manual' && !isSameManualRate(saved, mid) ? mid : {};
  const missing = rate_mode !== 'manual' && mid.mid_rate === null;
  return missing && saved.mid_rate !== null ? carriedMidRate(saved, now) : mid;
}

function isSameManualRate(before: MidRate, after: MidRate): boolean {
  return (
    before.mid_rate !== null &&
    after.mid_rate !== null &&
    compare(parseDecimal(before.mid_rate), parseDecimal(after.mid_rate)) === 0 &&
    before.mid_until?.getTime() === after.mid_until?.getTime()
  );
}
