/** Lists that are searched in times that do not grow with them. */
import assert from 'node:assert/strict';
import { searchWords } from '#kernel/search-words.ts';
import type { Db } from '#platform/db/database.ts';
import { areFewFound, type ListAsk, type SearchedTable } from '#platform/db/time-list.ts';

export interface Searched<Row> {
  readonly table: SearchedTable;
  readonly list: (ask: ListAsk) => Promise<Row[]>;
  readonly select: (ask: ListAsk, areFew: boolean) => { explain(format: 'json'): Promise<unknown> };
  readonly nameOf: (row: Row) => string;
}

/** What is typed, how many of the first 51 it finds, and what the newest of them is called. */
type Search = readonly [typed: string, count: number, newest: string | undefined];

/** Few rows are gathered by the index of words; of many the newest are met on the way down. */
export async function checkSearches<Row>(
  db: Db,
  { table, list, select, nameOf }: Searched<Row>,
  searches: readonly Search[],
): Promise<void> {
  for (const [typed, count, newest] of searches) {
    const words = searchWords(typed);
    const ask = { state: undefined, words, after: null, limit: 51 };
    const [first, ...others] = await list(ask);
    const found = first === undefined ? [0, undefined] : [others.length + 1, nameOf(first)];
    assert.deepEqual(found, [count, newest], typed);
    const areFew = await areFewFound(db, table, words);
    assert.equal(areFew, count < 51, typed);
    const plan = JSON.stringify(await select(ask, areFew).explain('json'));
    const index = `${table}_${areFew ? 'search' : 'newest'}`;
    assert.ok(plan.includes(`"Index Name":"${index}"`), `${typed}: ${plan}`);
    assert.doesNotMatch(plan, new RegExp(`"Seq Scan"[^{}]*"Relation Name":"${table}"`), typed);
  }
}
