/**
 * The demo desk: currencies, pairs with a week of rates, and opening reserves,
 * made through the features' own doors, as an admin would make them by hand.
 */
import { HOUR } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import * as currencies from '#features/currencies/currencies.ts';
import * as ledger from '#features/ledger/ledger.ts';
import * as pairs from '#features/pairs/pairs.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { demoCurrencies } from './desk-currencies.ts';
import { demoPairs, demoUnits, type DemoPair } from './desk-pairs.ts';
import { rateBetween, walk } from './rate-walk.ts';

const HISTORY_HOURS = 7 * 24;
/** Digits of a mid rate beyond those of the customer's, so that the margin is seen exactly. */
const EXTRA_DIGITS = 3;

/** Fills an empty desk. Answers how much there is, for whoever writes about it. */
export async function seedDesk(
  deps: Pick<Deps, 'clock' | 'db' | 'jobs' | 'published'>,
  adminId: string,
): Promise<{ currencies: number; pairs: number }> {
  const admin: Actor = { id: adminId, role: 'admin', permissions: ['money'], name: 'Admin' };
  for (const { draft, reserve } of demoCurrencies) {
    await currencies.create(deps, admin, null, draft);
    const opening = { direction: 'in', amount: reserve, reason: 'Opening reserve' } as const;
    await ledger.adjust(deps, admin, null, draft.slug, opening, `opening-${draft.slug}`);
  }
  const values = new Map(
    Object.entries(demoUnits).map(([unit, start], at) => [
      unit,
      walk(start, BigInt(at + 1), HISTORY_HOURS),
    ]),
  );
  for (const [at, pair] of demoPairs.entries()) {
    const rates = ratesOf(pair, values);
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
  return { currencies: demoCurrencies.length, pairs: demoPairs.length };
}

type Walks = ReadonlyMap<string, ReturnType<typeof walk>>;

/** Now and each hour before. */
function ratesOf({ send, receive, rate_digits }: DemoPair, values: Walks): string[] {
  const unitOf = (slug: string) =>
    demoCurrencies.find(({ draft }) => draft.slug === slug)?.draft.unit;
  const [sent, received] = [values.get(unitOf(send) ?? ''), values.get(unitOf(receive) ?? '')];
  if (!sent || !received) throw new Error(`The demo has no rate from ${send} to ${receive}.`);
  return sent.flatMap((value, hour) => {
    const other = received[hour];
    return other ? [rateBetween(value, other, rate_digits + EXTRA_DIGITS)] : [];
  });
}
