/** SQL of the filters of the desk's list, each through an index in the list's order. */
import type { ExchangeException } from '@cambist/contract/exchange-records';
import type { ExchangeState } from '@cambist/contract/exchanges';
import type { SettingValue } from '@cambist/contract/settings';
import { sql, type RawBuilder } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { exceptionIs } from './exceptions.ts';

export interface DeskFilter {
  readonly state?: ExchangeState;
  readonly exception?: ExchangeException;
  readonly pair?: string;
  /** Days of creation in UTC, both included: `YYYY-MM-DD`. */
  readonly from?: string;
  readonly to?: string;
}

/** On `exchanges e` with the send currency `s`. */
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
