/** Which queue, search and filters an address names. */
import { queues } from '@cambist/contract/desk';
import type { DeskViewFilters } from '@cambist/contract/desk-views';
import { exceptions } from '@cambist/contract/exchange-records';
import { exchangeStates } from '@cambist/contract/exchanges';
import { listPath } from '#lib/browser/list-query.ts';
import { readDay } from '#lib/format/day.ts';

export type QueueName = (typeof queues)[number];

export const queueNames: readonly QueueName[] = queues;

/** What is not a queue is the first one: the work list. */
export function readQueue(text: string | null): QueueName {
  return queueNames.find((name) => name === text) ?? 'to_review';
}

export type DeskFilters = Omit<DeskViewFilters, 'queue'>;
export type FilterName = keyof DeskFilters;
export const filterNames = [
  'state',
  'exception',
  'pair',
  'operator',
  'from',
  'to',
] as const satisfies readonly FilterName[];

const fits: Record<FilterName, (value: string) => boolean> = {
  state: (value) => exchangeStates.some((state) => state === value),
  exception: (value) => exceptions.some((exception) => exception === value),
  pair: (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) && value.length <= 80,
  operator: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  from: (value) => readDay(value) !== undefined,
  to: (value) => readDay(value) !== undefined,
};

/** What the service would refuse is left out rather than shown as a broken page. */
export function readFilters(query: URLSearchParams): DeskFilters {
  const read: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const value = query.get(name) ?? '';
    if (fits[name](value)) read[name] = value;
  }
  return read as DeskFilters;
}

/** The same filters without one of them. */
export function without(filters: DeskFilters, name: FilterName): DeskFilters {
  const { [name]: _dropped, ...left } = filters;
  return left;
}

/** How many rows the queue shows before "load more", and how many one request may hold. */
export const rowsPerPage = 50;
export const mostPerRequest = 100;

/** `/admin/exchanges[/{number}]` with the queue, search and filters that are not the usual. */
export function deskPath(
  number: string | null,
  queue: QueueName,
  search: string,
  filters: DeskFilters = {},
): string {
  const path = number === null ? '/admin/exchanges' : `/admin/exchanges/${number}`;
  const set = Object.fromEntries(filterNames.map((name) => [name, filters[name]]));
  return listPath(path, { queue: queue === 'to_review' ? undefined : queue, search, ...set });
}
