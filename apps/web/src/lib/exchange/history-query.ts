/** The filters of the history, as they stand in the address. Pure. */
import { readDay } from '#lib/format/day.ts';

export const historyStates = ['open', 'done', 'closed'] as const;
export type HistoryState = (typeof historyStates)[number];

export interface HistoryQuery {
  state?: HistoryState;
  /** Days, `2026-11-20`; both are included. */
  from?: string;
  to?: string;
  page?: number;
}

/** Reads the address; what makes no sense there is left out. */
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

/** The address of the history with these filters. */
export function historyPath({ state, from, to, page }: HistoryQuery): string {
  const query = new URLSearchParams();
  if (state) query.set('state', state);
  if (from) query.set('from', from);
  if (to) query.set('to', to);
  if (page !== undefined && page > 1) query.set('page', String(page));
  return query.size > 0 ? `/exchanges?${query}` : '/exchanges';
}

/** The same filters for the spreadsheet, which has no pages. */
export function exportQuery({ state, from, to }: HistoryQuery): Omit<HistoryQuery, 'page'> {
  return { ...(state ? { state } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
