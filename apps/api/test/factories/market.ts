/** Accepted rates without any provider. */
import { readMarket, writeRates } from '#features/rates/market/market.ts';
import { applyMarketRates } from '#features/pairs/market-rates.ts';
import { HOUR } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import type { TestApi } from '#test/harness.ts';

/** Units for one `base`, as if a run had just brought them. */
export async function acceptRates(
  api: TestApi,
  rates: Readonly<Record<string, string>>,
  base = 'EUR',
): Promise<void> {
  const at = new Date();
  const times = { asOf: at, confirmedAt: at, freshUntil: new Date(at.getTime() + 26 * HOUR) };
  await transaction(api.db, async (tx) => {
    const given = Object.entries(rates).map(([unit, rate]) => ({ unit, base, rate, ...times }));
    await writeRates(
      tx,
      given.map((each) => ({ ...each, inverted: false, provider: 'fixer' })),
    );
    await applyMarketRates(api.deps, tx, await readMarket(tx));
  });
}
