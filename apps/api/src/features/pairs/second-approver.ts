/** Above which amount an approval or a reserve adjustment needs a second operator. */
import { tenTo, zero } from '@cambist/money/decimal';
import { countAdminsWith } from '#features/auth/users.ts';
import { amountFor, read } from '#features/content/settings/settings.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { readValuation } from './valuation.ts';

/** In the reporting unit, for a currency without a threshold of its own. */
const DEFAULT_VALUE = { ...zero, units: 5000n };

type Currency = { readonly slug: string; readonly unit: string; readonly decimals: number };

/**
 * Minor units; null where one operator is enough for any amount: without a threshold of its own
 * locally, where there is no second operator, and where the desk has no rate to value the currency.
 * Inside a transaction pass it as `db`.
 */
export async function secondApproverThreshold(
  deps: Pick<Deps, 'config' | 'db' | 'published'>,
  currency: Currency,
  db: Db | Tx = deps.db,
): Promise<bigint | null> {
  const { second_approver_above } = await read(deps, 'desk');
  const own = amountFor(second_approver_above, currency);
  if (own !== null || deps.config.appEnv !== 'production') return own;
  if ((await countAdminsWith(db, 'desk')) < 2) return null;
  const amount = (await readValuation(deps, db)).amountOf(DEFAULT_VALUE, currency);
  return amount && oneDigit(amount);
}

/** To the nearest with one digit above zero, so that the threshold does not move with every rate. */
function oneDigit(amount: bigint): bigint {
  const step = tenTo(String(amount).length - 1);
  return ((amount + step / 2n) / step) * step;
}

/** Said at the start in production. */
export async function warnOfSoleOperator({
  config,
  db,
  log,
}: Pick<Deps, 'config' | 'db' | 'log'>): Promise<void> {
  if (config.appEnv !== 'production' || (await countAdminsWith(db, 'desk')) > 1) return;
  log.warn('Only one admin has the permission desk: one operator alone can approve any amount.');
}
