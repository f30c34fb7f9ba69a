/**
 * The demo desk: currencies, pairs with a week of rates, and opening reserves,
 * made by the features' own functions, as an admin would make them by hand.
 */
import { divideDown, formatDecimal, parseDecimal, type Decimal } from '@cambist/money/decimal';
import { HOUR } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import * as currencies from '#features/currencies/currencies.ts';
import * as ledger from '#features/ledger/ledger.ts';
import { create as createPair } from '#features/pairs/editor/save.ts';
import { importHistory } from '#features/pairs/pairs.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { demoCurrencies, demoPairs, type Unit } from './files.ts';

const HISTORY_HOURS = 7 * 24;
/** Digits of a mid rate beyond those of the customer's, so that the margin is seen exactly. */
const EXTRA_DIGITS = 3;

/** Fills an empty desk. Answers how much there is, for the home page. */
export async function seedDesk(
  deps: Deps,
  adminId: string,
): Promise<{ currencies: number; pairs: number }> {
  const actor: Actor = { id: adminId, role: 'admin', permissions: ['money'], name: 'Admin' };
  const by = { actor, origin: null };
  const currencyList = demoCurrencies();
  const { pairs: pairList, units } = demoPairs();
  const values = new Map<string, Decimal[]>();
  for (const { draft, reserve } of currencyList) {
    const currency = await currencies.create(deps, by, draft);
    const opening = { direction: 'in', amount: reserve, reason: 'Opening reserve' } as const;
    await transaction(deps.db, async (tx) => {
      await ledger.postAdjustment(deps, tx, currency, opening, { actorId: adminId });
      await ledger.recordAdjustment(tx, currency, by, opening);
    });
    const unit = units[draft.unit];
    if (unit) values.set(draft.slug, valuesOf(unit));
  }
  for (const [at, pair] of pairList.entries()) {
    const [sent = [], received = []] = [values.get(pair.send), values.get(pair.receive)];
    const [mid_rate, ...earlier] = sent.flatMap((value, hour) => {
      const other = received[hour];
      return other ? [rateBetween(value, other, pair.rate_digits + EXTRA_DIGITS)] : [];
    });
    if (mid_rate === undefined) throw new Error(`The demo pair from ${pair.send} has no rate.`);
    const draft = { ...pair, mid_rate, position: (at + 1) * 10 };
    const { slug } = await createPair(deps, { ...by, session: null }, draft);
    const now = deps.clock().getTime();
    const past = earlier.map((rate, hours) => ({
      mid_rate: rate,
      as_of: new Date(now - (hours + 1) * HOUR),
    }));
    await transaction(deps.db, (tx) => importHistory(tx, slug, past));
  }
  return { currencies: currencyList.length, pairs: pairList.length };
}

/** What a unit is worth now and was at each hour before: invented waves, whose lengths differ. */
function valuesOf({ value, swing }: Unit): Decimal[] {
  const wave = (hour: number) =>
    Math.sin(hour / (17 + (swing % 23))) + Math.sin(hour / (2 + (swing % 7))) / 3;
  const past = Array.from({ length: HISTORY_HOURS }, (_, hour) =>
    parseDecimal((Number(value) * (1 + (swing / 1_000_000) * wave(hour + 1))).toFixed(12)),
  );
  return [parseDecimal(value), ...past];
}

function rateBetween(send: Decimal, receive: Decimal, digits: number): string {
  return formatDecimal(divideDown(send, receive, digits));
}
