/**
 * A page of the chart's figures; all of them, in the page and its data, were most of its size.
 * Pure.
 */
import type { HistoryPoint, HistoryRange } from '@cambist/contract/rate-history';
import type { HtmlPart } from '#lib/browser/static-html.ts';

export interface Figures {
  /** Newest first. */
  readonly rows: readonly HistoryPoint[];
  /** The first and the last row, from 1. */
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** Addresses of the adjacent pages; null at an end. */
  readonly newer: string | null;
  readonly older: string | null;
  /** Whether the query asks for a page. */
  readonly open: boolean;
}

/** With the rows as HTML. */
export type ShownFigures = Omit<Figures, 'rows'> & { readonly rows: HtmlPart };

export const PAGE_ROWS = 25;

/** `asked` is the page in the query, from 1, or null; numbers beyond the end give the last page. */
export function figuresOf(
  { pair, range, points }: { pair: string; range: HistoryRange; points: readonly HistoryPoint[] },
  asked: string | null,
): Figures {
  const total = points.length;
  const pages = (total - 1 - ((total - 1) % PAGE_ROWS)) / PAGE_ROWS + 1;
  const wanted = asked !== null && /^[1-9]\d{0,2}$/.test(asked) ? Number.parseInt(asked, 10) : 1;
  const page = Math.min(wanted, pages);
  const start = (page - 1) * PAGE_ROWS;
  const rows = points.toReversed().slice(start, start + PAGE_ROWS);
  const address = (to: number) => `/rates/${pair}?range=${range}&figures=${to}#figures`;
  return {
    rows,
    first: start + 1,
    last: start + rows.length,
    total,
    newer: page > 1 ? address(page - 1) : null,
    older: page < pages ? address(page + 1) : null,
    open: asked !== null,
  };
}
