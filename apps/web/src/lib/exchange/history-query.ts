/** The filters of the history, as they stand in the address. Pure. */

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
  const from = day(query.get('from'));
  const to = day(query.get('to'));
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

/** Whether the first day lies after the last: no exchange can fit that, and it is surely a slip. */
export function datesCross({ from, to }: HistoryQuery): boolean {
  // Written as they are, days sort as text.
  return from !== undefined && to !== undefined && from > to;
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

/** A day that exists: the 30th of February does not. */
function day(value: string | null): string | undefined {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
}
