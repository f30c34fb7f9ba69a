/** What one customer may send in a day and a month, and hold of a reserve; each limit with its sentence. */
import type { SettingValue } from '@cambist/contract/settings';
import {
  add,
  compare,
  formatDecimal,
  parseDecimal,
  roundDown,
  subtract,
  zero,
  type Decimal,
} from '@cambist/money/decimal';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { endedCount, sendLimits, volumeViolation, withUnit } from '#features/pairs/limits.ts';
import type { PairRow } from '#features/pairs/pairs.ts';
import type { Figures } from '#features/pairs/price.ts';
import { mostWithin, shownReserve } from '#features/pairs/reserves.ts';
import { valuationNow, type Valuation } from '#features/pairs/valuation.ts';
import { terms } from '#features/pairs/terms.ts';
import { findHolds, listVolumes, type Volume } from '../store/volumes.ts';

export interface LimitAsk {
  readonly userId: Id;
  readonly pair: PairRow;
  readonly price: Pick<Figures, 'send_minor' | 'payout_minor'>;
  /** Not known when a quote is given. */
  readonly account: string | null;
  readonly now: Date;
  /** Where the caller has read it. */
  readonly valuation?: Valuation;
}

/** The limit that this exchange would break for its customer or its payout account; rolling windows. */
export async function customerLimitViolation(
  db: Db | Tx,
  desk: SettingValue<'desk'>,
  ask: LimitAsk,
): Promise<string | null> {
  // In one round trip.
  const [sent, held] = await Promise.all([
    sentViolation(db, desk, ask),
    newCustomerViolation(db, desk, ask),
  ]);
  return sent ?? held;
}

/** The limit that an exchange would break for another payout account than it has; its customer's stay as they are. */
export function accountLimitViolation(
  db: Tx,
  desk: SettingValue<'desk'>,
  ask: Omit<LimitAsk, 'userId'>,
): Promise<string | null> {
  return sentViolation(db, desk, { ...ask, userId: null });
}

/** Of the pair, then over all pairs; of the customer, then of the account whoever uses it. */
async function sentViolation(
  db: Db | Tx,
  desk: SettingValue<'desk'>,
  ask: Omit<LimitAsk, 'userId'> & { readonly userId: Id | null },
): Promise<string | null> {
  const { userId, pair, price, account, now } = ask;
  const overall = overallLimits(desk).filter(({ most }) => most !== null);
  const here = pair.day_max_send !== null || pair.month_max_send !== null;
  if (!here && overall.length === 0) return null;
  const all = await listVolumes(db, { userId, pairId: pair.id, account, ...windowsTo(now) });
  const own = all.filter((volume) => volume.own);
  const together = all.filter((volume) => volume.to_account);
  return (
    volumeViolation(pair, sentOf(own), price.send_minor) ??
    volumeViolation(pair, { ...sentOf(together), together: true }, price.send_minor) ??
    (overall.length === 0
      ? null
      : overallViolation(ask.valuation ?? (await valuationNow(db, desk)), overall, ask, {
          own,
          together,
        }))
  );
}

const windowsTo = (now: Date) => ({
  day: new Date(now.getTime() - DAY),
  month: new Date(now.getTime() - 30 * DAY),
});

interface OverallLimit {
  readonly window: 'day' | 'month';
  /** Null without a limit. */
  readonly most: Decimal | null;
  readonly counts: (volume: Volume) => boolean;
}

function overallLimits(desk: SettingValue<'desk'>): OverallLimit[] {
  const mostOf = (text: string) => {
    const most = parseDecimal(text);
    return most.units > 0n ? most : null;
  };
  return [
    { window: 'day', most: mostOf(desk.customer_day_limit), counts: ({ today }) => today },
    { window: 'month', most: mostOf(desk.customer_month_limit), counts: ({ ended }) => !ended },
  ];
}

function overallViolation(
  valuation: Valuation,
  limits: readonly OverallLimit[],
  { pair, price }: Pick<LimitAsk, 'pair' | 'price'>,
  { own, together }: { readonly own: readonly Volume[]; readonly together: readonly Volume[] },
): string | null {
  const value = valuation.valueOf(price.send_minor, pair.send);
  if (value === null)
    return `What this is worth in ${valuation.unit} is not known at the moment, and the limit of what you can send is in ${valuation.unit}. Please try again later.`;
  for (const { most, window, counts } of limits) {
    if (most === null) continue;
    const span = window === 'day' ? '24 hours' : '30 days';
    // Limits are whole cents mostly; a unit such as BTC has more decimals in its setting.
    const figure = (amount: Decimal) =>
      `${formatDecimal(roundDown(amount, Math.max(2, most.scale)))} ${valuation.unit}`;
    const before = worth(valuation, own.filter(counts));
    if (compare(add(before, value), most) > 0) {
      const left = compare(before, most) > 0 ? zero : subtract(most, before);
      const isReason = own.some((volume) => volume.ended && counts(volume));
      return `You can send amounts worth ${figure(most)} in ${span} over all directions together; ${figure(left)} of it are left.${isReason ? endedCount : ''}`;
    }
    if (compare(add(worth(valuation, together.filter(counts)), value), most) > 0)
      return `To one payout account amounts worth ${figure(most)} can be sent in ${span} over all directions, by all customers together.`;
  }
  return null;
}

/** As valued at creation; what was valued in another unit, or not at all, by the rates of now. */
export function worth(
  valuation: Valuation,
  volumes: readonly Pick<Volume, 'unit' | 'decimals' | 'send_minor' | 'reporting_unit' | 'value'>[],
): Decimal {
  return volumes.reduce((sum, volume) => {
    const { reporting_unit, value, send_minor } = volume;
    const stored = value !== null && reporting_unit === valuation.unit ? parseDecimal(value) : null;
    return add(sum, stored ?? valuation.valueOf(send_minor, volume) ?? zero);
  }, zero);
}

/** What the customer has used of the limits over all pairs; without a limit `most` is null. */
export async function customerUse(
  db: Db | Tx,
  desk: SettingValue<'desk'>,
  { userId, now, valuation }: { userId: Id; now: Date; valuation: Valuation },
): Promise<(OverallLimit & { used: Decimal })[]> {
  const own = await listVolumes(db, { userId, pairId: null, account: null, ...windowsTo(now) });
  return overallLimits(desk).map((limit) => ({
    ...limit,
    used: worth(valuation, own.filter(limit.counts)),
  }));
}

function sentOf(volumes: readonly Volume[]) {
  const here = volumes.filter((volume) => volume.here);
  const sum = (counted: readonly Volume[]) =>
    counted.reduce((total, { send_minor }) => total + send_minor, 0n);
  const today = here.filter(({ today: isToday }) => isToday);
  return {
    day: sum(today),
    month: sum(here.filter(({ ended }) => !ended)),
    ended: sum(today.filter(({ ended }) => ended)) > 0n,
  };
}

/** Without a completed exchange a customer holds a share of each reserve at most. */
async function newCustomerViolation(
  db: Db | Tx,
  desk: SettingValue<'desk'>,
  { userId, pair, price }: LimitAsk,
): Promise<string | null> {
  const { new_customer_reserve_percent: percent, reserve_display_cap: caps } = desk;
  const holds = await findHolds(db, { userId, currencyId: pair.receive_currency_id });
  // What the reserve lacks is refused for everybody.
  if (holds.known || price.payout_minor > holds.available) return null;
  const share = ((holds.available + holds.held) * BigInt(percent)) / 100n;
  if (holds.own + price.payout_minor <= share) return null;
  const left = share > holds.own ? share - holds.own : 0n;
  const [priced, limits] = [terms(pair), sendLimits(pair)];
  const most = priced && mostWithin(priced, shownReserve(left, pair.receive, caps));
  const reason =
    'Until your first exchange is completed, only a part of the reserve is held for you';
  return most === null || limits === null || most.send < limits.min
    ? `${reason}: no more can be paid out to you now.`
    : `${reason}: at most ${withUnit(most.payout, pair.receive)} can be paid out to you now.`;
}
