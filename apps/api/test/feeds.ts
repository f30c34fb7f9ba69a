/** Reads the feeds as monitors do: XML by libxml2, which PostgreSQL brings along; JSON with every digit. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';
import type { Client, Json } from './client.ts';

interface XmlElement {
  readonly name: string;
  readonly value: string;
  readonly type: string | null;
  readonly minutes: string | null;
}

/** The items' elements in their order. Throws for what is not well-formed, or has anything else in it. */
export async function readXml(db: Db, text: string): Promise<XmlElement[][]> {
  const parsed = sql`xmlparse(document ${text}::text)`;
  const { rows: shape } = await sql<{ root: string; children: number; items: number }>`
    select * from xmltable('/*' passing ${parsed} columns
      root text path 'name()', children int path 'count(*)', items int path 'count(item)')`.execute(
    db,
  );
  assert.deepEqual(
    shape.map(({ root, children, items }) => [root, children === items]),
    [['rates', true]],
  );
  const { rows } = await sql<XmlElement & { item: number; depth: number }>`
    select * from xmltable('/rates/item/*' passing ${parsed} columns
      item int path 'count(../preceding-sibling::item)', depth int path 'count(*)',
      name text path 'name()', value text path 'string()',
      type text path '@type', minutes text path '@minutes')`.execute(db);
  assert.ok(rows.every(({ depth }) => depth === 0));
  const items = Map.groupBy(rows, ({ item }) => item);
  assert.equal(items.size, shape[0]?.items);
  return [...items.values()].map((elements) =>
    elements.map(({ name, value, type, minutes }) => ({ name, value, type, minutes })),
  );
}

/** The elements of each item by name; none may come twice. */
export function byName(items: readonly XmlElement[][]): Record<string, string>[] {
  return items.map((elements) => {
    const named = Object.fromEntries(elements.map(({ name, value }) => [name, value]));
    assert.equal(Object.keys(named).length, elements.length);
    return named;
  });
}

/** Numbers come back as the digits that were written. */
export function readExactJson(text: string): Json {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value,
  );
}

/** Changes the settings of the feeds. */
export async function setFeeds(admin: Client, changes: Json): Promise<void> {
  const url = '/api/admin/settings/feeds';
  const { version, value } = (await admin.get(url)).body.data;
  const answer = await admin.put(url, { version, value: { ...value, ...changes } });
  assert.equal(answer.status, 200, answer.text);
}
