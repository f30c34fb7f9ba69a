/**
 * What an editor is shown before saving: the figures of a draft priced by the
 * same functions as every quote, with what the desk would keep of it.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { PairPreview, previewPair } from '@cambist/contract/pairs';
import { formatAmount } from '@cambist/money/amount';
import { compare, formatDecimal, parseDecimal } from '@cambist/money/decimal';
import { readMarket } from '#features/rates/market/market.ts';
import type { Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { databaseTime } from '#platform/db/database-clock.ts';
import { rates, shownMid, told } from '../answers.ts';
import { readDraft } from './editing.ts';
import type { Draft } from '../figures.ts';
import { deskMargin } from '../margin.ts';
import { rateChange } from './guard.ts';
import { freshCross, keptMid, type Mid } from '../mid.ts';
import { breakdownOf, brokenLimit, figuresOf, priceOf, quoteRefusal } from '../offer.ts';
import { readJumpPercent, readPolicy } from '../policy.ts';
import { sendLimits, terms } from '../price.ts';
import { roundTrips } from '../round-trips.ts';
import { explained, onOffer } from '../shown.ts';
import { endOrNull, standingOf } from '../state.ts';
import * as store from '../store.ts';
import type { PairRow } from '../store.ts';

/** @throws Refusal 422 by field of the draft, or on `amount` */
export async function preview(
  deps: Pick<Deps, 'db' | 'published'>,
  { side, amount, ...draft }: BodyOf<typeof previewPair>,
): Promise<PairPreview> {
  const policy = await readPolicy(deps);
  const now = await databaseTime(deps.db);
  const { pair, saved } = await asSaved(deps.db, draft, now);
  const market = await readMarket(deps.db);
  const standing = explained(pair, standingOf(pair, policy, now), market);
  const own = freshCross(market, pair);
  const limits = sendLimits(pair);
  const sent = (minor: bigint) => formatAmount(minor, pair.send.decimals);
  const priced = terms(pair);
  const quote = priced && priceOf(pair, side, amount);
  return {
    ...shownMid(pair),
    ...rates(pair),
    ...told(standing),
    state_reason: standing.reason,
    lock_minutes: standing.lockMinutes,
    limits: limits && {
      min: sent(limits.min),
      max: sent(limits.max),
      day: pair.day_max_send === null ? null : sent(pair.day_max_send),
      month: pair.month_max_send === null ? null : sent(pair.month_max_send),
    },
    breakdown: quote && breakdownOf(figuresOf(pair, quote, now), pair),
    margin: quote && deskMargin(quote, priced),
    market: own && {
      rate: formatDecimal(own.rate),
      source: own.source,
      as_of: endOrNull(own.asOf)?.toISOString() ?? null,
    },
    market_percent:
      (quote && own && deskMargin(quote, { ...priced, mid: own.rate })?.percent) ?? null,
    rate_change: rateChange({
      before: saved,
      after: pair,
      market: own,
      jumpPercent: await readJumpPercent(deps),
    }),
    round_trips: roundTrips(
      [pair, ...(await onOffer(deps.db, policy, now)).filter(({ slug }) => slug !== pair.slug)],
      pair.slug,
    ),
    refusal:
      quoteRefusal(pair, standing, policy.timeZone)?.message ??
      (quote && brokenLimit(pair, quote.send)),
  };
}

/** The pair as it would be with this draft, beside the saved one; with its own mid rate where the draft leaves that alone. */
async function asSaved(
  db: Db,
  draft: Draft,
  now: Date,
): Promise<{ readonly pair: PairRow; readonly saved: PairRow | null }> {
  const { slug, sides, columns, mid } = await readDraft(db, draft, 'shown');
  const saved = await store.findPair(db, { slug });
  const kept = saved ? midBeside(saved, columns, mid, now) : mid;
  const pair = {
    ...(saved ?? { id: slug, version: 1, created_at: now, updated_at: now }),
    evidence: draft.evidence,
    complete_on_approval: draft.complete_on_approval,
    lock_minutes: draft.lock_minutes,
    pay_minutes: draft.pay_minutes,
    rate_digits: draft.rate_digits,
    margin_percent: draft.margin_percent,
    active: draft.active,
    position: draft.position,
    ...columns,
    mid_rate: kept.mid_rate,
    mid_source: kept.mid_source,
    mid_as_of: kept.mid_as_of,
    mid_confirmed_at: kept.mid_confirmed_at,
    mid_fresh_until: kept.mid_fresh_until,
    mid_until: kept.mid_until,
    mid_awaits: kept.mid_awaits,
    slug,
    send_currency_id: sides.send.id,
    receive_currency_id: sides.receive.id,
    ...sides,
  };
  return { pair, saved: saved ?? null };
}

/** The mid rate that the saved pair would have with the draft's figures. */
function midBeside(
  saved: PairRow,
  columns: Pick<PairRow, 'formula' | 'rate_mode'>,
  mid: Mid,
  now: Date,
): Mid {
  if (keepsMid(saved, columns, mid)) return saved;
  const lacks = columns.rate_mode !== 'manual' && mid.mid_rate === null;
  return lacks && saved.mid_rate !== null ? keptMid(saved, now) : mid;
}

function keepsMid(
  saved: PairRow,
  { rate_mode, formula }: Pick<PairRow, 'formula' | 'rate_mode'>,
  mid: Mid,
): boolean {
  if (saved.rate_mode !== rate_mode || saved.formula !== formula) return false;
  if (rate_mode !== 'manual') return true;
  const [before, after] = [saved.mid_rate, mid.mid_rate];
  return (
    before !== null &&
    after !== null &&
    compare(parseDecimal(before), parseDecimal(after)) === 0 &&
    saved.mid_until?.getTime() === mid.mid_until?.getTime()
  );
}
