import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, stock } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import * as ledger from './ledger.ts';

const api = await startTestApi({ after });
const { client: admin, user } = await api.asAdmin({ name: 'Robin Okafor' });
const { client: member } = await api.asMember();
const usd = await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'btc', { decimals: 8, position: 2 });
const URL = '/api/admin/reserves';
const adjust = (body: Json, key: string | true = true, currency = 'usd') =>
  admin.post(`${URL}/${currency}/adjustments`, body, { key });

describe('POST /api/admin/reserves/{currency}/adjustments', () => {
  it('adds to a reserve and answers how it stands', async () => {
    const { status, body } = await adjust({
      direction: 'in',
      amount: '1000.00',
      reason: 'Opening',
    });
    assert.equal(status, 201);
    assert.equal(body.data.available, '1000.00');
    assert.deepEqual(
      body.data.accounts.filter(({ balance }: Json) => balance !== '0.00'),
      [
        { kind: 'available', balance: '1000.00' },
        { kind: 'adjustments', balance: '-1000.00' },
      ],
    );
  });

  it('takes from it, but never more than there is', async () => {
    const { body } = await adjust({ direction: 'out', amount: '400', reason: 'To the bank' });
    assert.equal(body.data.available, '600.00');
    const answer = await adjust({ direction: 'out', amount: '600.01', reason: 'Too much' });
    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'insufficient_reserve');
    assert.match(answer.body.message, /USD \(Bank transfer\)/);
    assert.equal((await admin.get(URL)).body.data[0].available, '600.00');
  });

  it('does it once for a key sent five times at once, and replays the answer', async () => {
    const body = { direction: 'in', amount: '0.01', reason: 'A cent' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => adjust(body, 'the-same-key')),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(
      answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length,
      4,
    );
    assert.equal((await admin.get(URL)).body.data[0].available, '600.01');
    assert.equal((await adjust({ ...body, amount: '0.02' }, 'the-same-key')).status, 422);
  });

  it('records who did it and why', async () => {
    const events = await api.db
      .selectFrom('audit_events')
      .select(['data', 'actor_id'])
      .where('action', '=', 'reserve.adjusted')
      .where('subject_id', '=', usd.id)
      .orderBy('id')
      .execute();
    assert.equal(events.length, 3);
    assert.equal(events[0]?.actor_id, user.id);
    assert.deepEqual(events[0]?.data, {
      currency: 'usd',
      direction: 'in',
      amount: '1000.00',
      reason: 'Opening',
    });
  });

  it('refuses what is no amount, no reason, no key, no currency', async () => {
    const good = { direction: 'in', amount: '1', reason: 'Opening' };
    for (const [body, field] of [
      [{ ...good, amount: '1.001' }, 'amount'],
      [{ ...good, amount: '0' }, 'amount'],
      [{ ...good, amount: '-1' }, 'amount'],
      [{ ...good, reason: 'x' }, 'reason'],
      [{ ...good, direction: 'sideways' }, 'direction'],
    ] as const) {
      const answer = await adjust(body);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors), [field]);
    }
    const keyless = await admin.post(`${URL}/usd/adjustments`, good);
    assert.equal(keyless.status, 422);
    assert.ok(keyless.body.errors.idempotency_key);
    assert.equal((await adjust(good, true, 'nowhere')).status, 404);
  });

  it('is for admins only', async () => {
    const body = { direction: 'in', amount: '1', reason: 'Mine' };
    assert.equal((await member.post(`${URL}/usd/adjustments`, body, { key: true })).status, 403);
    assert.equal((await api.client().get(URL)).status, 401);
  });

  it('never lets takers at once take more than there is', async () => {
    await addCurrency(admin, 'scarce', { position: 9 });
    await stock(admin, 'scarce', '10');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        adjust({ direction: 'out', amount: '1', reason: 'Race' }, true, 'scarce'),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 10);
    assert.equal(answers.filter(({ status }) => status === 409).length, 15);
    assert.equal((await admin.get(URL)).body.data[2].available, '0.00');
  });
});

describe('GET /api/admin/reserves', () => {
  it('answers each currency with its own decimals, in the desk’s order', async () => {
    await stock(admin, 'btc', '1.5');
    const { status, body } = await admin.get(URL);
    assert.equal(status, 200);
    const [first, second] = body.data;
    assert.deepEqual([first.currency.slug, second.currency.slug], ['usd', 'btc']);
    assert.deepEqual([second.available, second.held], ['1.50000000', '0.00000000']);
    assert.equal((await member.get(URL)).status, 403);
  });
});

describe('GET /api/admin/reserves/{currency}/entries', () => {
  it('shows an exchange’s number, the reference and who acted', async () => {
    await transaction(api.db, (tx) =>
      ledger.post(
        tx,
        {
          kind: 'hold',
          exchange_id: usd.id,
          exchange_number: 'CX-7F3K-92QD',
          cause: 'event:1',
          reference: 'quote',
          reason: null,
          actor_id: user.id,
        },
        [
          { currency_id: usd.id, account: 'held', amount: 5_00n },
          { currency_id: usd.id, account: 'available', amount: -5_00n },
        ],
      ),
    );
    const { status, body } = await admin.get(`${URL}/usd/entries`);
    assert.equal(status, 200);
    const [newest, second] = body.data;
    assert.equal(newest.transaction_id, second.transaction_id);
    assert.deepEqual(
      { ...newest, transaction_id: 0, at: 0 },
      {
        transaction_id: 0,
        at: 0,
        kind: 'hold',
        exchange_number: 'CX-7F3K-92QD',
        reference: 'quote',
        reason: null,
        actor: 'Robin Okafor',
        account: 'held',
        amount: '5.00',
        balance_after: '5.00',
      },
    );
  });

  it('pages by cursor without gaps or repetitions, and by account', async () => {
    const all = (await admin.get(`${URL}/usd/entries`)).body;
    assert.equal(all.meta.next_cursor, null);
    const pages: Json[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { per_page: 3, ...(cursor ? { cursor } : {}) };
      const { body } = await admin.get(`${URL}/usd/entries`, { query });
      pages.push(...body.data);
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(pages, all.data);

    const available = await admin.get(`${URL}/usd/entries`, { query: { account: 'available' } });
    assert.deepEqual(
      available.body.data.map(({ balance_after }: Json) => balance_after),
      ['595.01', '600.01', '600.00', '1000.00'],
    );
  });

  it('refuses a cursor that is not one, an unknown account, an unknown currency', async () => {
    assert.equal((await admin.get(`${URL}/usd/entries`, { query: { cursor: 'x' } })).status, 422);
    assert.equal((await admin.get(`${URL}/usd/entries`, { query: { account: 'x' } })).status, 422);
    assert.equal((await admin.get(`${URL}/nowhere/entries`)).status, 404);
    assert.equal((await member.get(`${URL}/usd/entries`)).status, 403);
  });
});
