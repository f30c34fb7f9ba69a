/**
 * Lists that are ordered by a time, the newest first: read page by page, and
 * searched by words. One row more than a page has is asked for, so that it is known
 * whether there is a next one.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import { searchWords } from '#kernel/search-words.ts';
import { readTimeCursor, writeTimeCursor, type TimePlace } from '#kernel/time-cursor.ts';

const PER_PAGE = 50;

export interface ListQuery<State = never> {
  readonly state?: State;
  readonly q?: string;
  readonly cursor?: string;
  readonly per_page?: number;
}

export interface ListAsk<State = never> {
  /** Undefined for all that are meant without one. */
  readonly state: State | undefined;
  /** For `to_tsquery`; null for all, '' for none. */
  readonly words: string | null;
  readonly after: TimePlace | null;
  readonly limit: number;
}

/** @throws {Refusal} 422 on `cursor` */
export function askOf<State>(query: ListQuery<State>): ListAsk<State> {
  const { state, q, cursor, per_page = PER_PAGE } = query;
  return {
    state,
    words: searchWords(q),
    after: cursor === undefined ? null : readTimeCursor(cursor),
    limit: per_page + 1,
  };
}

/** Of a table with a column `search`. */
export function isFound(words: string | null): RawBuilder<boolean> {
  return words === null ? sql`true` : sql`search @@ to_tsquery('simple', ${words})`;
}

/** Of a table that is ordered by `created_at` and `id`. */
export function isAfter(place: TimePlace | null): RawBuilder<boolean> {
  return place === null ? sql`true` : sql`(created_at, id) < (${place.at}, ${place.id})`;
}

/** `atOf`: the time that the list is ordered by. */
export function pageOf<Row extends { readonly id: Id }>(
  rows: readonly Row[],
  { limit }: Pick<ListAsk, 'limit'>,
  atOf: (row: Row) => Date,
): {
  readonly page: Row[];
  readonly meta: { next_cursor: string | null; per_page: number };
} {
  const per_page = limit - 1;
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? writeTimeCursor({ at: atOf(last), id: last.id }) : null;
  return { page, meta: { next_cursor, per_page } };
}
