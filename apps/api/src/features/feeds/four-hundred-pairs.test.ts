/** A desk of 420 pairs: customers get what the files publish, for at most one query. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { feedFiles } from '@cambist/contract/feeds';
import { tenTo } from '@cambist/money/decimal';
import { sql, type KyselyPlugin } from 'kysely';
import { features } from '#app/features.ts';
import type { Feature } from '#platform/feature.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import { byName, readXml } from '#test/factories/feeds.ts';
import { startTestApi } from '#test/harness.ts';
import { feeds } from './routes.ts';

/** The table of each statement. */
let statements: string[] = [];
const counting: KyselyPlugin = {
  transformQuery({ node }) {
    statements.push(/"table":.*?"name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? node.kind);
    return node;
  },
  transformResult: async ({ result }) => result,
};
const counted: Feature = {
  ...feeds,
  routes: (ways, deps, tasks) =>
    feeds.routes?.(ways, { ...deps, db: deps.db.withPlugin(counting) }, tasks),
};
const api = await startTestApi(
  { after },
  { features: features.map((feature) => (feature === feeds ? counted : feature)) },
);
const { client: admin } = await api.asAdmin();
const guest = api.client();

const CURRENCIES = 21;
const PAIRS = CURRENCIES * (CURRENCIES - 1);
const slugs = Array.from({ length: CURRENCIES }, (_, at) => `c${String.fromCodePoint(97 + at)}`);
for (const [at, slug] of slugs.entries()) {
  const decimals = [2, 18, 0][at % 3] ?? 2;
  await addCurrency(admin, slug, { decimals, position: at });
  // The largest amounts that there are.
  const most = '9'.repeat(24);
  await stock(admin, slug, decimals === 0 ? most : `${most}.${'9'.repeat(decimals)}`);
}
await addPair(admin, 'ca', 'cb');
// The longest rates that a desk can have, on either side of one.
await sql`insert into pairs (id, slug, send_currency_id, receive_currency_id, mid_rate, mid_source,
    mid_as_of, rate_digits, min_send, max_send, position)
  select gen_random_uuid(), s.slug || '-to-' || r.slug, s.id, r.id,
    case when s.position < r.position
      then 1000 + s.position + 0.123456789012345678 - r.position * 0.000000000000000001
      else 0.001234567890123456 + s.position * 0.000000000000000001 end,
    'manual', now(), 18, 100000 * 10::numeric ^ s.decimals, 10::numeric ^ (20 + s.decimals),
    s.position * 100 + r.position
  from currencies s, currencies r
  where s.id <> r.id and not exists (
    select from pairs where send_currency_id = s.id and receive_currency_id = r.id)`.execute(
  api.db,
);

const path = (file: string) => `/api/public/export/${file}`;
const text = async (file: string) => {
  const answer = await guest.get(path(file));
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
};

/** The statements of some requests. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  statements = [];
  await work();
  return statements;
}

const all = () => Promise.all(feedFiles.flatMap((file) => [text(file), text(file), text(file)]));

describe(`the feeds of ${PAIRS} pairs`, () => {
  it('cost one query besides the settings when they are built', async () => {
    const cost = await asked(all);
    assert.deepEqual(
      cost.filter((name) => name !== 'settings'),
      ['pairs'],
    );
    // One for each group of settings, which the process caches.
    assert.ok(cost.length <= 4, cost.join());
  });

  it('cost no query afterwards, and one when a pair changes', async () => {
    assert.deepEqual(await asked(all), []);
    const headers = { 'if-none-match': '"none"' };
    assert.deepEqual(await asked(() => guest.get(path('rates.txt'), { headers })), []);
    const url = '/api/admin/pairs/ca-to-cb';
    const { version } = (await admin.get(url)).body.data;
    await admin.patch(url, { version, lock_minutes: 30 });
    assert.match(await text('bestchange.xml'), /<from>CA<.*<to>CB<.*<floating>30</);
    await text('bestchange.xml');
    const quiet = await asked(all);
    assert.ok(quiet.length === 0 || quiet.join() === 'pairs', quiet.join());
  });
});

/** The customer's rate, as the converter has it. */
const { pairs } = (await guest.get('/api/public/currencies-converter')).body.data;
const codes = new Map<string, string>(slugs.map((slug) => [slug, slug.toUpperCase()]));
const offered = new Map<string, Json>(
  pairs.map((pair: Json) => [`${codes.get(pair.send)} ${codes.get(pair.receive)}`, pair]),
);

function units(decimal: string): bigint {
  const [whole = '', rest = ''] = decimal.split('.');
  return BigInt(whole + rest.padEnd(18, '0').slice(0, 18));
}

/**
 * Each direction once, with the limits that the converter has, and its rate to the last digit, less
 * what rounding the gross of the least amount may take.
 */
function assertOffered(items: readonly Json[]): void {
  assert.equal(items.length, PAIRS);
  assert.equal(new Set(items.map(({ from, to }) => `${from} ${to}`)).size, PAIRS);
  for (const item of items) {
    const pair = offered.get(`${item.from} ${item.to}`);
    assert.ok(pair, `${item.from} ${item.to}`);
    for (const name of ['in', 'out', 'amount']) assert.match(item[name], /^\d+(\.\d*[1-9])?$/);
    // One unit of the receive currency's last decimal, of 100,000 sent.
    const decimals = [2, 18, 0][slugs.indexOf(pair.receive) % 3] ?? 2;
    const most = units(pair.rate);
    const least = most - tenTo(18 - decimals) / 100_000n - 1n;
    const isRate = (rate: bigint) =>
      assert.ok(rate >= least && rate <= most, `${rate} is not ${most}`);
    if (item.in === '1') isRate(units(item.out));
    else {
      assert.equal(item.out, '1');
      const [whole = '', rest = ''] = item.in.split('.');
      const top = BigInt(whole + rest);
      isRate((tenTo(18 + rest.length) + top - 1n) / top);
    }
    assert.equal(units(item.minamount), units(pair.min));
    assert.equal(units(item.maxamount), units(pair.max));
    assert.ok(units(item.amount) >= tenTo(18) * (10n ** 24n - 1n));
  }
}

describe('the file', () => {
  it('bestchange.xml is well-formed, with every rate and every digit', async () => {
    assertOffered(byName(await readXml(api.db, await text('bestchange.xml'))));
  });

  it('has every pair', async () => {
    const { left_out, items } = (await admin.get('/api/admin/feeds')).body.data;
    assert.deepEqual([left_out, items.length], [[], PAIRS]);
  });
});
