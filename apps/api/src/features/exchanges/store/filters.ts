/** SQL of the filters of the desk's list, each through an index in the list's order. */
import type { ExchangeException } from '@cambist/contract/exchange-records';
import type { ExchangeState } from '@cambist/contract/exchanges';
import type { SettingValue } from '@cambist/contract/settings';
import { sql, type RawBuilder } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';

type Tolerances = SettingValue<'desk'>['tolerance'];

export interface DeskFilter {
  readonly state?: ExchangeState;
  readonly exception?: ExchangeException;
  readonly pair?: string;
  /** Days of creation in UTC, both included: `YYYY-MM-DD`. */
  readonly from?: string;
  readonly to?: string;
}

/** On `exchanges e`. */
export function filterConditions(
  { state, exception, pair, from, to }: DeskFilter,
  { tolerance }: Pick<SettingValue<'desk'>, 'tolerance'>,
): RawBuilder<boolean>[] {
  const dayOf = (day: string) => new Date(`${day}T00:00:00Z`);
  return [
    ...(state === undefined ? [] : [sql<boolean>`e.state = ${state}`]),
    ...(exception === undefined ? [] : [exceptionIs(exception, tolerance)]),
    ...(pair === undefined
      ? []
      : [sql<boolean>`e.pair_id = (select id from pairs where slug = ${pair})`]),
    ...(from === undefined ? [] : [sql<boolean>`e.created_at >= ${dayOf(from)}`]),
    ...(to === undefined
      ? []
      : [sql<boolean>`e.created_at < ${new Date(dayOf(to).getTime() + DAY)}`]),
  ];
}

export const ofCustomer = (id: Id) => sql<boolean>`e.user_id = ${id}`;

/**
 * As `exceptionOf`, on `exchanges e`. Each but `none` repeats the condition of its partial
 * index, which the tolerance alone would not imply.
 */
export function exceptionIs(
  exception: ExchangeException,
  tolerances: Tolerances,
): RawBuilder<boolean> {
  const isLate = sql`e.is_late and e.state <> 'completed'`;
  const isUndecided = sql`not e.is_returned and not (${isLate})
    and e.received_minor > 0 and e.state not in ('refund_pending', 'refunded')`;
  const difference = sql`e.received_minor - e.excess_minor - e.send_minor`;
  const over = sql<boolean>`(${isUndecided} and e.received_minor - e.excess_minor > e.send_minor
    and ${difference} > ${toleranceMinor(tolerances)})`;
  const part = sql<boolean>`(${isUndecided} and e.received_minor - e.excess_minor < e.send_minor
    and ${difference} < -${toleranceMinor(tolerances)})`;
  switch (exception) {
    case 'returned':
      return sql`e.is_returned`;
    case 'late':
      return sql`(${isLate} and not e.is_returned)`;
    case 'over':
      return over;
    case 'part':
      return part;
    case 'none':
      return sql`not (e.is_returned or ${isLate} or ${over} or ${part})`;
  }
}

/** As `toleranceOf`: of the first entry for the currency, rounded down to its decimals. */
function toleranceMinor(tolerances: Tolerances) {
  const bySlug = Object.fromEntries(
    tolerances.toReversed().map(({ currency, amount }) => [currency, amount]),
  );
  return sql`coalesce((select trunc((${JSON.stringify(bySlug)}::text::jsonb ->> s.slug)::numeric
    * (10::numeric ^ s.decimals)) from currencies s where s.id = e.send_currency_id), 0)`;
}
