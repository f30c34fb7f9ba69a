/** The filters of the exchange list in the query. Pure. */
import { listPath } from '#lib/console/list-query.ts';
import { readDay } from '#lib/format/day.ts';

export const historyStates = ['open', 'done', 'closed'] as const;
export type HistoryState = (typeof historyStates)[number];

export interface HistoryQuery {
  state?: HistoryState;
  /** Days such as `2026-11-20`, both included. */
  from?: string;
  to?: string;
  page?: number;
}

/** Reads the query; invalid values are dropped. */
export function readHistoryQuery(query: URLSearchParams): HistoryQuery {
  const state = historyStates.find((each) => each === query.get('state'));
  const from = readDay(query.get('from'));
  const to = readDay(query.get('to'));
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '')
    ? Number.parseInt(query.get('page') ?? '1', 10)
    : 1;
  return {
    ...(state ? { state } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(page > 1 ? { page } : {}),
  };
}

/** The path of the list with these filters. */
export function historyPath(query: HistoryQuery): string {
  return listPath('/exchanges', { ...query });
}

/** The same filters for the CSV, which has no pages. */
export function exportQuery({ state, from, to }: HistoryQuery): Omit<HistoryQuery, 'page'> {
  return { ...(state ? { state } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
