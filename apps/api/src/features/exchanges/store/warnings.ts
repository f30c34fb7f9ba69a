/** SQL of warnings that need other exchanges: on `exchanges e`, through indexes, in the query of the list. */
import { openStates } from '@cambist/contract/exchange-groups';
import type { SettingValue } from '@cambist/contract/settings';
import { sql, type RawBuilder } from 'kysely';

export type WarningSettings = Pick<
  SettingValue<'desk'>,
  'reporting_unit' | 'customer_day_limit' | 'customer_month_limit'
>;

/** What the customer says, and what receipts say, on either side. */
export const referenceUsed = sql<boolean>`exists (
  select from (
    select reference_key(e.payment_reference) as reference
    union all select reference_key(f.reference) from exchange_receipts f
    where f.exchange_id = e.id and f.state = 'recorded') own
  where exists (select from exchanges o where reference_key(o.payment_reference) = own.reference and o.id <> e.id)
    or exists (select from exchange_receipts o
      where reference_key(o.reference) = own.reference and o.exchange_id <> e.id and o.state = 'recorded'))`;

/** Two probes of the index, however often its customer used the account. */
export const accountShared = sql<boolean>`(
  exists (select from exchanges o
    where o.payout_account_key = e.payout_account_key and o.user_id < e.user_id)
  or exists (select from exchanges o
    where o.payout_account_key = e.payout_account_key and o.user_id > e.user_id))`;

/** As `customerUse` counts, of what was valued in the present reporting unit. */
export function limitsNear({
  reporting_unit,
  customer_day_limit,
  customer_month_limit,
}: WarningSettings): RawBuilder<boolean> {
  const isNear = (limit: string, counted: RawBuilder<unknown>) =>
    sql`(${limit}::numeric > 0 and sum(o.reporting_value) filter (where ${counted}) >= ${limit}::numeric * 0.8)`;
  return sql<boolean>`(e.state = any(${[...openStates]}) and coalesce((
    select ${isNear(customer_day_limit, sql`o.created_at > now() - interval '24 hours'`)}
      or ${isNear(customer_month_limit, sql`o.state not in ('cancelled', 'expired')`)}
    from exchanges o
    where o.user_id = e.user_id and o.created_at > now() - interval '30 days'
      and o.state not in ('rejected', 'refunded') and o.reporting_unit = ${reporting_unit}), false))`;
}
