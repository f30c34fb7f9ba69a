import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { eventually } from '#test/eventually.ts';
import { startTestApi } from '#test/harness.ts';
import { importHistory } from './pairs.ts';
import { findPair, sharePair } from './store.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const { client: member } = await api.asMember();
const URL = '/api/admin/pairs';
await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'eur', { position: 2, min_receive: '20', payout_time: 'in a day' });
await addCurrency(admin, 'jpy', { position: 3, decimals: 0 });

const slugs = (pairs: Json) => pairs.map(({ slug }: Json) => slug);

await addPair(admin, 'usd', 'eur', { send_fee: { fixed: '1.5', percent: '0.25' } });
await addPair(admin, 'eur', 'usd');
await addPair(admin, 'usd', 'jpy', {
  mid_rate: '151.123456789012345678',
  active: false,
  position: 5,
});

const converter = async () =>
  (await api.client().get('/api/public/currencies-converter')).body.data;
const showcase = async () => (await api.client().get('/api/public/rates-showcase')).body.data;

/** A change is notified through the database, so an answer may be old for a moment. */
const untilListed = (...expected: string[]) =>
  eventually(`${expected.join()} are listed`, async () => {
    const found = slugs((await converter()).pairs);
    return found.join() === expected.join();
  });

describe('GET /api/public/currencies-converter', () => {
  it('has all that a browser needs to price each open pair, and only currencies in use', async () => {
    const { currencies, pairs } = await converter();
    assert.deepEqual(slugs(currencies), ['usd', 'eur']);
    const pair = pairs.find(({ slug }: Json) => slug === 'usd-to-eur');
    assert.deepEqual(
      { ...pair, mid_as_of: null },
      {
        slug: 'usd-to-eur',
        send: 'usd',
        receive: 'eur',
        rate: '0.9108',
        mid_rate: '0.92',
        mid_source: 'manual',
        mid_as_of: null,
        fees: {
          send: { fixed: '1.50', percent: '0.25', min: null, max: null },
          receive: { fixed: '0.00', percent: '0', min: null, max: null },
        },
        tiers: [],
        payout_step: '0.01',
        // At least 20.00 EUR are paid out, for which 23.52 USD must be sent.
        min: '23.52',
        max: '5000.00',
        day_max: null,
        month_max: null,
        lock_minutes: 15,
        pay_minutes: 60,
        payout_time: 'in a day',
        hours: null,
        state: 'live',
        checking: false,
        stale_at: null,
        opens_at: null,
      },
    );
  });

  it('changes when a pair or a currency is switched off and on', async () => {
    const set = async (url: string, active: boolean) => {
      const { version } = (await admin.get(url)).body.data;
      assert.equal((await admin.patch(url, { version, active })).status, 200);
    };
    await set(`${URL}/usd-to-jpy`, true);
    await untilListed('eur-to-usd', 'usd-to-eur', 'usd-to-jpy');
    await set('/api/admin/currencies/eur', false);
    await untilListed('usd-to-jpy');
    await set('/api/admin/currencies/eur', true);
    await set(`${URL}/eur-to-usd`, false);
    await untilListed('usd-to-eur', 'usd-to-jpy');
  });

  it('omits a pair without an account to pay to', async () => {
    await addCurrency(admin, 'orphan', { payee_accounts: [] });
    await addPair(admin, 'orphan', 'usd');
    await addPair(admin, 'usd', 'orphan', { position: 9 });
    await untilListed('usd-to-eur', 'usd-to-jpy', 'usd-to-orphan');
  });

  it('is not sent again to a client that has it', async () => {
    const first = await api.client().get('/api/public/currencies-converter');
    const headers = { 'if-none-match': String(first.headers['etag']) };
    assert.equal(
      (await api.client().get('/api/public/currencies-converter', { headers })).status,
      304,
    );
  });
});

describe('GET /api/public/rates-showcase', () => {
  it('has the rate, the day’s change and the last seven days', async () => {
    const now = Date.now();
    await transaction(api.db, async (tx) => {
      await importHistory(tx, 'usd-to-eur', [
        { mid_rate: '0.90', as_of: new Date(now - 9 * 24 * HOUR) },
        { mid_rate: '0.91', as_of: new Date(now - 30 * HOUR) },
        { mid_rate: '0.93', as_of: new Date(now - 5 * HOUR) },
      ]);
      await api.deps.published.changed(tx, 'rates-showcase');
    });
    const find = async () => (await showcase()).find(({ pair }: Json) => pair === 'usd-to-eur');
    await eventually('the change of a day', async () => (await find()).change_24h === '1.10');
    const { rate, sparkline, state, send } = await find();
    assert.deepEqual([rate, sparkline.length, state, send.unit], ['0.9108', 28, 'live', 'USD']);
    assert.deepEqual([sparkline[0], sparkline.at(-2), sparkline.at(-1)], ['0.9', '0.91', '0.92']);
  });

  it('has no change for a pair that is younger than a day', async () => {
    const rate = (await showcase()).find(({ pair }: Json) => pair === 'usd-to-jpy');
    assert.equal(rate.change_24h, null);
    assert.deepEqual(rate.sparkline, ['151.123456789012345678']);
  });
});

describe('the cached answers', () => {
  it('are rebuilt when the settings of pairs’ states change', async () => {
    const aged = { mid_confirmed_at: new Date(Date.now() - 100 * MINUTE) };
    await api.db
      .updateTable('pairs')
      .set({ rate_mode: 'automatic', mid_fresh_until: new Date(Date.now() + HOUR), ...aged })
      .where('slug', '=', 'usd-to-eur')
      .execute();
    const set = async (changes: Json) => {
      const url = '/api/admin/settings/rate-api';
      const { version, value } = (await admin.get(url)).body.data;
      const answer = await admin.put(url, { version, value: { ...value, ...changes } });
      assert.equal(answer.status, 200, answer.text);
    };
    const states = async () => {
      const history = await api.client().get('/api/public/rates/usd-to-eur');
      return [
        (await converter()).pairs.find(({ slug }: Json) => slug === 'usd-to-eur').state,
        (await showcase()).find(({ pair }: Json) => pair === 'usd-to-eur').state,
        history.body.data.state,
      ];
    };
    for (const [delayed_minutes, stale_minutes, state] of [
      [200, 300, 'live'],
      [90, 180, 'delayed'],
      [30, 60, 'stale'],
    ] as const) {
      await set({ delayed_minutes, stale_minutes });
      assert.deepEqual(await states(), [state, state, state]);
    }
  });
});

describe('GET /api/pairs/{slug}/requirements', () => {
  const URL = (slug: string) => `/api/pairs/${slug}/requirements`;

  it('lists the fields and evidence for a member', async () => {
    const { status, body } = await member.get(URL('usd-to-eur'));
    assert.equal(status, 200);
    assert.deepEqual(body.data.sender_fields, []);
    assert.deepEqual(
      body.data.payout_fields.map(({ key }: Json) => key),
      ['holder', 'iban'],
    );
    assert.deepEqual([body.data.evidence, body.data.pay_minutes], ['proof', 60]);
  });

  it('refuses guests, pairs that do not exist, and pairs that are switched off', async () => {
    assert.equal((await api.client().get(URL('usd-to-eur'))).status, 401);
    assert.equal((await member.get(URL('usd-to-usd'))).status, 404);
    const paused = await member.get(URL('eur-to-usd'));
    assert.deepEqual([paused.status, paused.body.code], [409, 'pair_unavailable']);
  });
});

describe('a shared pair', () => {
  it('is locked against changes, not against other readers', async () => {
    const pair = await findPair(api.db, { slug: 'usd-to-eur' });
    assert.ok(pair);
    assert.equal((await findPair(api.db, { id: pair.id }))?.slug, 'usd-to-eur');
    assert.equal(pair.receive.min_receive, 2000n);
    await transaction(api.db, async (first) => {
      await sharePair(first, pair.id);
      await transaction(api.db, (second) => sharePair(second, pair.id));
      const waiting = admin.patch(`${URL}/usd-to-eur`, { version: pair.version, position: 0 });
      const early = await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(resolve, 100, 'waits')),
      ]);
      assert.equal(early, 'waits');
      void waiting;
    });
  });
});
