/** New and earlier quotes while a rate is delayed, stale, closed or out of bounds. */
import assert from 'node:assert/strict';
import { afterEach, after, describe, it } from 'node:test';
import type { Updateable } from 'kysely';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { PairsTable } from '#platform/db/tables.generated.ts';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { createBody, quote, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const guest = api.client();
const SLUG = 'usd-to-eur';

const ago = (ms: number) => new Date(Date.now() - ms);
/** A pair that follows the market, confirmed this long ago. */
const confirmed = (ms: number, at = ago(ms)): Updateable<PairsTable> => ({
  rate_mode: 'automatic',
  mid_source: 'fixer',
  mid_as_of: at,
  mid_confirmed_at: at,
  mid_fresh_until: ago(-DAY),
});
const usual: Updateable<PairsTable> = {
  rate_mode: 'manual',
  mid_source: 'manual',
  mid_confirmed_at: null,
  mid_fresh_until: null,
  mid_until: null,
  hours: null,
  rate_max: null,
  active: true,
};
/** Closed until the day after tomorrow in every time zone. */
const closedNow = () => {
  const day = new Date(Date.now() + 2 * DAY).getUTCDay();
  return { hours: [{ days: [day === 0 ? 7 : day], from: '12:00', to: '13:00' }] };
};

async function set(changes: Updateable<PairsTable>): Promise<void> {
  await transaction(api.db, async (tx) => {
    await tx.updateTable('pairs').set(changes).where('slug', '=', SLUG).execute();
    await api.deps.published.changed(tx, 'converter', 'rates-showcase');
  });
}

const ask = () => guest.post('/api/public/quotes', { pair: SLUG, side: 'send', amount: '100' });
async function shown(): Promise<Json> {
  const { body } = await guest.get('/api/public/currencies-converter');
  return body.data.pairs.find(({ slug }: Json) => slug === SLUG);
}
const lockOf = ({ expires_at, server_time }: Json) =>
  (Date.parse(expires_at) - Date.parse(server_time)) / MINUTE;

afterEach(() => set(usual));

describe('a quote', () => {
  it('has a shorter lock while the rate is delayed, as in the converter', async () => {
    await set(confirmed(2 * HOUR));
    const { status, body } = await ask();
    assert.equal(status, 200);
    assert.equal(lockOf(body.data), 5);
    const pair = await shown();
    assert.deepEqual([pair.state, pair.lock_minutes], ['delayed', 5]);
    assert.equal(pair.stale_at, new Date(Date.parse(pair.mid_as_of) + 3 * HOUR).toISOString());
    await set(confirmed(HOUR));
    assert.equal(lockOf((await ask()).body.data), 15);
  });

  it('is refused for a stale rate, with the time of the last one', async () => {
    const last = new Date('2026-01-02T03:04:00Z');
    await set({ ...confirmed(7 * HOUR), mid_as_of: last });
    const { status, body } = await ask();
    assert.deepEqual([status, body.code], [503, 'rates_stale']);
    assert.match(body.message, /The last one is from 2 January 2026, 03:04 UTC\./);
    const pair = await shown();
    assert.deepEqual([pair.state, pair.mid_as_of], ['stale', last.toISOString()]);
    assert.ok(pair.stale_at < new Date().toISOString());
    const [rate] = (await guest.get('/api/public/rates-showcase')).body.data;
    assert.deepEqual([rate.state, rate.as_of], ['stale', last.toISOString()]);
  });

  it('is refused after the end of a manual rate', async () => {
    await set({ mid_until: ago(1000) });
    assert.equal((await ask()).status, 503);
    await set({ mid_until: ago(-HOUR) });
    assert.equal((await ask()).status, 200);
  });

  it('is locked until the end of a manual rate at most', async () => {
    const mid_until = new Date(Date.now() + MINUTE);
    await set({ mid_until });
    const { status, body } = await ask();
    assert.equal(status, 200);
    assert.equal(body.data.expires_at, mid_until.toISOString());
  });

  it('is refused outside the working hours, with the next opening', async () => {
    const closed = closedNow();
    await set(closed);
    const { status, body } = await ask();
    assert.deepEqual([status, body.code], [409, 'pair_unavailable']);
    const { state, opens_at, hours } = await shown();
    assert.deepEqual([state, hours], ['closed', closed.hours]);
    assert.ok(Date.parse(opens_at) > Date.now() + 12 * HOUR);
    assert.match(body.message, /It opens on \d+ \w+ \d{4}, 12:00 UTC\./);
  });

  it('follows the settings of ages and time zone', async () => {
    await set(confirmed(2 * HOUR));
    const url = '/api/admin/settings/rate-api';
    const { version, value } = (await admin.get(url)).body.data;
    const put = await admin.put(url, { version, value: { ...value, stale_minutes: 100 } });
    assert.equal(put.status, 200, put.text);
    const eventually = async (status: number) => {
      for (let attempt = 0; attempt < 40 && (await ask()).status !== status; attempt += 1)
        await new Promise((resolve) => setTimeout(resolve, 25));
      assert.equal((await ask()).status, status);
    };
    await eventually(503);
    await admin.put(url, { version: version + 1, value });
    await eventually(200);
  });
});

describe('an earlier quote', () => {
  const cases: [string, () => Updateable<PairsTable>][] = [
    ['grown stale', () => confirmed(7 * HOUR)],
    ['closed', closedNow],
    ['left without a rate', () => ({ rate_mode: 'automatic', mid_rate: null })],
    ['left with a rate out of bounds', () => ({ rate_max: '0.5' })],
  ];
  for (const [name, changes] of cases) {
    it(`is accepted when the pair has ${name}`, async () => {
      const { client } = await api.asMember();
      const { token, receive_amount } = await quote(client);
      await set(changes());
      assert.notEqual((await ask()).status, 200);
      assert.equal((await client.get(`/api/pairs/${SLUG}/requirements`)).status, 200);
      const made = await client.post('/api/exchanges', createBody(token), { key: true });
      assert.equal(made.status, 201, made.text);
      assert.equal(made.body.data.receive_amount, receive_amount);
      await set({ mid_rate: '0.92' });
    });
  }

  it('is refused when the pair has been switched off', async () => {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    await set({ active: false });
    const refused = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'pair_unavailable']);
  });

  it('must satisfy the current limits of each side', async () => {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    const refused = async () => {
      const answer = await client.post('/api/exchanges', createBody(token), { key: true });
      assert.deepEqual([answer.status, answer.body.code], [409, 'limit_exceeded'], answer.text);
      return answer.body.message;
    };
    await set({ min_send: 10_001n });
    assert.equal(await refused(), 'You must send at least 100.01 USD.');
    await set({ min_send: 1000n, max_send: 9999n });
    assert.equal(await refused(), 'You can send at most 99.99 USD at a time.');
    await set({ max_send: 500_000n });
    const limit = (changes: { min_receive?: bigint | null; max_receive?: bigint | null }) =>
      api.db.updateTable('currencies').set(changes).where('slug', '=', 'eur').execute();
    await limit({ min_receive: 9109n });
    assert.equal(await refused(), 'At least 91.09 EUR must be paid out.');
    await limit({ min_receive: null, max_receive: 9107n });
    assert.equal(await refused(), 'At most 91.07 EUR can be paid out at a time.');
    await limit({ max_receive: 9108n });
    const made = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(made.status, 201, made.text);
  });
});
