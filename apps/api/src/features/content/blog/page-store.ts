/** Pages of many posts, in times that do not grow with the blog. */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { PageWindow } from '#kernel/page.ts';
import type { Db } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.generated.ts';

/** A search counts no further: to count every post that has a common word takes longer with each post. */
const MOST_FOUND = 1000;
/** So few are gathered, then sorted; of more, the newest are soon met on the way down. */
const FEW_FOUND = 300;

/** All that is found, with the time by which it is listed. */
export interface Found {
  readonly isSearch: boolean;
  /** `byIndex: false` keeps the database from gathering all that has the words before it sorts. */
  readonly select: (byIndex: boolean) => SelectQueryBuilder<Tables, 'posts', FoundRow>;
}
interface FoundRow {
  id: Id;
  at: Date | null;
}

/**
 * Rows that have the words in one of these columns. `byIndex`: the words are hidden from the
 * planner, who would read the table where many rows have them, and unpack each one's words.
 * Else they are tested row by row, as rows come along another index.
 */
export function wordsIn(columns: readonly string[], words: string | null, byIndex: boolean) {
  const asked = sql`to_tsquery('simple', ${words})`;
  const query = byIndex ? sql`(select ${asked})` : asked;
  const tests = columns.map((column) => sql`${sql.ref(column)} @@ ${query}`);
  const has = sql<boolean>`(${sql.join(tests, sql` or `)})`;
  return byIndex ? has : sql<boolean>`${has} is true`;
}

export async function countFound(db: Db, { isSearch, select }: Found): Promise<number> {
  const row = await db
    .selectFrom(
      select(true)
        .$if(isSearch, (query) => query.limit(MOST_FOUND))
        .as('found'),
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * One page of them, the newest first, of `total` in all. Counted from the end of the list
 * that is nearer. Their rows are asked for by themselves: a plan for any number of pages
 * reads the whole table.
 */
export async function idsOfPage(
  db: Db,
  { isSearch, select }: Found,
  { limit, offset }: PageWindow,
  total: number,
): Promise<Id[]> {
  const left = Math.max(0, total - offset);
  const isCounted = !isSearch || total < MOST_FOUND;
  const fromEnd = isCounted && left < offset;
  const order = fromEnd ? 'asc' : 'desc';
  const areFew = total < FEW_FOUND;
  const shown = await db
    .with(
      (cte) => (isSearch && areFew ? cte('found').materialized() : cte('found').notMaterialized()),
      () => select(areFew),
    )
    .selectFrom('found')
    .select('id')
    .orderBy('at', order)
    .orderBy('id', order)
    .limit(fromEnd ? Math.min(limit, left) : limit)
    .offset(fromEnd ? Math.max(0, left - limit) : offset)
    .execute();
  return shown.map(({ id }) => id);
}
