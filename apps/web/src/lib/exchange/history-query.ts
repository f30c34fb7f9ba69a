/** The filters of the exchange list in the query. Pure. */
import { listPath, readPage } from '#lib/browser/list-query.ts';
import { readDay } from '#lib/format/day.ts';

export const historyStates = ['open', 'done', 'closed'] as const;
export type HistoryState = (typeof historyStates)[number];

export interface HistoryQuery {
  state?: HistoryState;
  /** Days such as `2026-11-20`, both included. */
  from?: string;
  to?: string;
  page?: number;
  /** Where the page begins: found at once, however far back. */
  cursor?: string;
}

/** Reads the query; invalid values are dropped. */
export function readHistoryQuery(query: URLSearchParams): HistoryQuery {
  const state = historyStates.find((each) => each === query.get('state'));
  const from = readDay(query.get('from'));
  const to = readDay(query.get('to'));
  const page = readPage(query.get('page'));
  const cursor = query.get('cursor') ?? '';
  return {
    ...(state ? { state } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(page > 1 ? { page } : {}),
    ...(page > 1 && /^[\w-]{40,80}$/.test(cursor) ? { cursor } : {}),
  };
}

/** The path of the list with these filters. */
export function historyPath(query: HistoryQuery): string {
  return listPath('/exchanges', { ...query });
}

/** The same filters for the CSV, which has no pages. */
export function exportQuery({ page: _page, cursor: _cursor, ...filters }: HistoryQuery) {
  return filters;
}
