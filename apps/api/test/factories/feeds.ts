/** Reads the feeds as monitors do: XML by libxml2, which PostgreSQL brings along; JSON with every digit. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Client, Json } from '#test/client.ts';
import type { Cleanup } from '#test/database.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';

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

/** Dollars, euros, bitcoins of 18 decimals and cash in two cities; dollars have no reserve. */
export async function startFeedsDesk(t: Cleanup) {
  const api = await startTestApi(t);
  const { client: admin } = await api.asAdmin();
  const guest = api.client();

  await addCurrency(admin, 'usd', { position: 1, export_code: 'PMUSD' });
  await addCurrency(admin, 'eur', { position: 2, export_code: 'SEPAEUR' });
  await addCurrency(admin, 'btc', { position: 3, decimals: 18 });
  await addCurrency(admin, 'cash', { position: 4, kind: 'cash', export_code: 'CASHUSD' });
  await stock(admin, 'eur', '1000000');
  await stock(admin, 'cash', '5000');
  const fee = { fixed: '1', percent: '10' };
  await addPair(admin, 'usd', 'eur', { position: 1, day_max_send: '2000' });
  await addPair(admin, 'btc', 'eur', {
    position: 2,
    mid_rate: '61250.123456789012345678',
    margin_percent: '0',
    rate_digits: 18,
    min_send: '0.000001000000000001',
    max_send: '0.5',
    payout_step: null,
    lock_minutes: 20,
  });
  await addPair(admin, 'usd', 'cash', {
    position: 3,
    mid_rate: '2',
    margin_percent: '0',
    send_fee: fee,
  });
  await addPair(admin, 'eur', 'usd', { position: 4 });
  await setFeeds(admin, { cities: [{ currency: 'cash', cities: ['MSK', 'FNCH'] }] });

  const path = (file: string) => `/api/public/export/${file}`;
  const overview = async () => (await admin.get('/api/admin/feeds')).body.data;

  async function changePair(slug: string, changes: Json): Promise<void> {
    const url = `/api/admin/pairs/${slug}`;
    const { version } = (await admin.get(url)).body.data;
    const answer = await admin.patch(url, { version, ...changes });
    assert.equal(answer.status, 200, answer.text);
  }

  return { api, admin, guest, path, overview, changePair };
}
