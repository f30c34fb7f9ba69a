/** What one customer may send in a day and a month, and hold of a reserve; each limit with its sentence. */
import type { SettingValue } from '@cambist/contract/settings';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { read } from '#features/content/settings/settings.ts';
import { sendLimits, volumeViolation, withUnit } from '#features/pairs/limits.ts';
import type { PairRow } from '#features/pairs/pairs.ts';
import type { Figures } from '#features/pairs/price.ts';
import { mostWithin, shownReserve } from '#features/pairs/reserves.ts';
import { terms } from '#features/pairs/terms.ts';
import { findHolds, listVolumes, type Volume } from '../store/volumes.ts';

export interface LimitAsk {
  readonly userId: Id;
  readonly pair: PairRow;
  readonly price: Pick<Figures, 'send_minor' | 'payout_minor'>;
  /** Not known when a quote is given. */
  readonly account: string | null;
  readonly now: Date;
}

/** The limit that this exchange would break for its customer or its payout account; rolling windows. */
export async function customerLimitViolation(
  deps: Pick<Deps, 'db' | 'published'>,
  db: Db | Tx,
  ask: LimitAsk,
): Promise<string | null> {
  const desk = await read(deps, 'desk');
  return (await sentViolation(db, ask)) ?? newCustomerViolation(desk, db, ask);
}

async function sentViolation(
  db: Db | Tx,
  { userId, pair, price, account, now }: LimitAsk,
): Promise<string | null> {
  if (pair.day_max_send === null && pair.month_max_send === null) return null;
  const day = new Date(now.getTime() - DAY);
  const month = new Date(now.getTime() - 30 * DAY);
  const all = await listVolumes(db, { userId, pairId: pair.id, account, day, month });
  const here = all.filter((volume) => volume.here);
  const own = here.filter((volume) => volume.own);
  const toAccount = here.filter((volume) => volume.to_account);
  return (
    volumeViolation(pair, sentOf(own), price.send_minor) ??
    volumeViolation(pair, { ...sentOf(toAccount), together: true }, price.send_minor)
  );
}

function sentOf(volumes: readonly Volume[]) {
  const sum = (counted: readonly Volume[]) =>
    counted.reduce((total, { send_minor }) => total + send_minor, 0n);
  const today = volumes.filter(({ today: isToday }) => isToday);
  return {
    day: sum(today),
    month: sum(volumes.filter(({ ended }) => !ended)),
    ended: sum(today.filter(({ ended }) => ended)) > 0n,
  };
}

/** Without a completed exchange a customer holds a share of each reserve at most. */
async function newCustomerViolation(
  desk: SettingValue<'desk'>,
  db: Db | Tx,
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
