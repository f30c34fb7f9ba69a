/**
 * Lists that are ordered by a time, the newest first: read page by page, and
 * searched by words. One row more than a page has is asked for, so that it is known
 * whether there is a next one.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import { searchWords } from '#kernel/search-words.ts';
import { readTimeCursor, writeTimeCursor, type TimePlace } from '#kernel/time-cursor.ts';
import type { Db } from './database.ts';

const PER_PAGE = 50;
/** Where more have the words, the newest are soon met on the way down. */
const FEW_FOUND = 1000;

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

/** Those with a column `search`, ordered by `created_at`. */
export type SearchedTable = 'contact_submissions' | 'feature_reports' | 'media';

/**
 * Of the table's column `search`. The planner knows nothing of the words: `byIndex` gathers all
 * rows that have them, else each row that comes along another index is tested, as half of them
 * are taken to have them.
 */
export function isFound(words: string | null, byIndex: boolean): RawBuilder<boolean> {
  if (words === null) return sql`true`;
  const asked = sql`to_tsquery('simple', ${words})`;
  return byIndex ? sql`search @@ (select ${asked})` : sql`coalesce(search @@ ${asked}, false)`;
}

/** Whether so few rows have the words that they are gathered, then sorted. */
export async function areFewFound(
  db: Db,
  table: SearchedTable,
  words: string | null,
): Promise<boolean> {
  if (words === null) return false;
  const { count } = await db
    .selectFrom(
      db.selectFrom(table).select('id').where(isFound(words, true)).limit(FEW_FOUND).as('found'),
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count < FEW_FOUND;
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
