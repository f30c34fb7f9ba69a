/**
 * The demo desk: currencies, pairs with a week of rates, and opening reserves,
 * made by the features' own functions, as an admin would make them by hand.
 */
import { HOUR } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import * as currencies from '#features/currencies/currencies.ts';
import * as ledger from '#features/ledger/ledger.ts';
import * as pairs from '#features/pairs/pairs.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { demoCurrencies, demoPairs, type DemoPair } from './files.ts';
import { rateBetween, walk } from './rate-walk.ts';

const HISTORY_HOURS = 7 * 24;
/** Digits of a mid rate beyond those of the customer's, so that the margin is seen exactly. */
const EXTRA_DIGITS = 3;

/** Fills an empty desk. Answers how much there is, for the home page. */
export async function seedDesk(
  deps: Pick<Deps, 'clock' | 'db' | 'jobs' | 'published'>,
  adminId: string,
): Promise<{ currencies: number; pairs: number }> {
  const admin: Actor = { id: adminId, role: 'admin', permissions: ['money'], name: 'Admin' };
  const currencyList = demoCurrencies();
  const unitOf = new Map(currencyList.map(({ draft }) => [draft.slug, draft.unit]));
  for (const { draft, reserve } of currencyList) {
    await currencies.create(deps, admin, null, draft);
    const opening = { direction: 'in', amount: reserve, reason: 'Opening reserve' } as const;
    await ledger.adjust(deps, admin, null, draft.slug, opening, `opening-${draft.slug}`);
  }
  const { pairs: pairList, units } = demoPairs();
  const values = new Map(
    Object.entries(units).map(([unit, start], at) => [
      unit,
      walk(start, BigInt(at + 1), HISTORY_HOURS),
    ]),
  );
  for (const [at, pair] of pairList.entries()) {
    const [sent, received] = [pair.send, pair.receive].map(
      (slug) => values.get(unitOf.get(slug) ?? '') ?? [],
    );
    const rates = ratesOf(pair, sent ?? [], received ?? []);
    const [mid_rate] = rates;
    if (mid_rate === undefined) throw new Error(`The demo pair from ${pair.send} has no rate.`);
    const { slug } = await pairs.create(deps, admin, null, {
      ...pair,
      mid_rate,
      position: (at + 1) * 10,
    });
    const now = deps.clock().getTime();
    const past = rates
      .map((rate, hours) => ({ mid_rate: rate, as_of: new Date(now - hours * HOUR) }))
      .slice(1);
    await transaction(deps.db, (tx) => pairs.importHistory(tx, slug, past));
  }
  return { currencies: currencyList.length, pairs: pairList.length };
}

type Walk = ReturnType<typeof walk>;

/** Now and each hour before. */
function ratesOf({ rate_digits }: DemoPair, sent: Walk, received: Walk): string[] {
  return sent.flatMap((value, hour) => {
    const other = received[hour];
    return other ? [rateBetween(value, other, rate_digits + EXTRA_DIGITS)] : [];
  });
}
