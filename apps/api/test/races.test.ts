/** What happens when many people do it at once: nothing is given twice, and nothing is lost. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { post } from '#features/ledger/ledger.ts';
import type { Answer, Client, Json } from './client.ts';
import { addCurrency, addPair, stock } from './desk.ts';
import {
  approve,
  balances,
  claim,
  complete,
  create,
  createBody,
  eventsOf,
  quote,
  startTestDesk,
  submitted,
  upload,
} from './factories/exchange.ts';

const { api, admin } = await startTestDesk({ after }, {}, { patient: true });
const { client: second } = await api.asAdmin();

const statuses = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const count = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

async function allowManyOpen(): Promise<void> {
  const { body } = await admin.get('/api/admin/settings/general');
  const { value, version } = body.data;
  const answer = await admin.put('/api/admin/settings/general', {
    version,
    value: { ...value, max_open_exchanges: 100 },
  });
  assert.equal(answer.status, 200, answer.text);
}

async function assertBooksBalance(): Promise<void> {
  const { body } = await admin.get('/api/admin/reserves/reconciliation');
  assert.deepEqual(body.data.differences, []);
  const sums = await api.deps.sql`
    select currency_id, sum(amount)::text as sum from ledger_entries group by currency_id having sum(amount) <> 0`;
  assert.equal(sums.length, 0, 'each currency sums to zero');
}

describe('160 exchanges at once against a reserve that covers 100', () => {
  it('makes exactly 100, refuses 60 with a reason, and leaves the reserve at zero', async () => {
    await allowManyOpen();
    await addCurrency(admin, 'gbp', { position: 3 });
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '9108');
    const people = await Promise.all(
      Array.from({ length: 8 }, async () => (await api.asMember()).client),
    );
    const asks = await Promise.all(
      Array.from({ length: 160 }, async (_, at) => {
        const client = people[at % people.length] as Client;
        return { client, token: (await quote(client, '100', 'usd-to-gbp')).token as string };
      }),
    );
    const answers = await Promise.all(
      asks.map(({ client, token }) =>
        client.post('/api/exchanges', createBody(token), { key: true }),
      ),
    );
    assert.deepEqual(
      [count(answers, 201), count(answers, 409)],
      [100, 60],
      statuses(answers).join(),
    );
    for (const { status, body } of answers) {
      if (status === 201) continue;
      assert.equal(body.code, 'insufficient_reserve');
      assert.match(body.message, /does not have enough GBP/);
    }
    const now = await balances(api);
    assert.equal(now['gbp available'] ?? 0n, 0n);
    assert.equal(now['gbp held'], 910_800n);
    const { total } = await api.db
      .selectFrom('exchanges')
      .where('state', '=', 'awaiting_payment')
      .select((column) => column.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    assert.equal(total, 100, 'what was refused left no row');
    await assertBooksBalance();
  });

  it('never lets a reserve go below zero, whoever posts', async () => {
    const gbp = await api.db
      .selectFrom('currencies')
      .select('id')
      .where('slug', '=', 'gbp')
      .executeTakeFirstOrThrow();
    const head = {
      kind: 'adjustment',
      exchange_id: null,
      cause: null,
      reference: null,
      reason: null,
      actor_id: null,
    } as const;
    const overdraw = transaction(api.db, (tx) =>
      post(tx, head, [
        { currency_id: gbp.id, account: 'available', amount: -1n },
        { currency_id: gbp.id, account: 'adjustments', amount: 1n },
      ]),
    );
    await assert.rejects(overdraw, { status: 409, code: 'insufficient_reserve' });
  });
});

describe('the same idempotency key five times at once', () => {
  it('makes one exchange and five equal answers', async () => {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.post('/api/exchanges', createBody(token), { key })),
    );
    assert.deepEqual(statuses(answers), [201, 201, 201, 201, 201]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'to the last byte');
    const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    assert.equal(replayed.length, 4);
    assert.equal((await client.get('/api/exchanges')).body.meta.total, 1);
    const other = await client.post(
      '/api/exchanges',
      { ...createBody(token), terms_accepted: true, payout_fields: {} },
      { key },
    );
    assert.equal(other.status, 422, 'another request cannot use the key');
  });

  it('repeats a refusal too', async () => {
    const { client } = await api.asMember();
    await stock(admin, 'gbp', '1000');
    const { token } = await quote(client, '100', 'usd-to-gbp');
    await stock(admin, 'gbp', '1000', 'out');
    const key = randomUUID();
    const ask = () => client.post('/api/exchanges', createBody(token), { key });
    const answers = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual(statuses(answers), [409, 409, 409]);
    await stock(admin, 'gbp', '1000');
    assert.deepEqual(
      [(await ask()).status, (await ask()).body.code],
      [409, 'insufficient_reserve'],
    );
    assert.equal(
      (await client.post('/api/exchanges', createBody(token), { key: true })).status,
      201,
    );
  });
});

describe('two operators at once', () => {
  const path = (number: string, verb: string) => `/api/admin/exchanges/${number}/${verb}`;

  it('claim: one gets it, the other gets 409', async () => {
    const { client } = await api.asMember();
    const { number, version } = await submitted(client);
    const answers = await Promise.all(
      [admin, second].map((browser) => browser.post(path(number, 'claim'), { version })),
    );
    assert.deepEqual(statuses(answers), [200, 409]);
    assert.equal(
      (await eventsOf(api, number)).filter(({ action }) => action === 'claim').length,
      1,
    );
  });

  it('approve: one wins, the other gets 409, and the money comes in once', async () => {
    const { client } = await api.asMember();
    for (const other of [second, admin]) {
      const { number, version } = await claim(admin, await submitted(client));
      const before = (await balances(api))['usd held'] ?? 0n;
      const body = { version, received_amount: '100' };
      const answers = await Promise.all(
        [admin, other].map((browser) =>
          browser.post(path(number, 'approval'), body, { key: true }),
        ),
      );
      assert.deepEqual(statuses(answers), [200, 409]);
      assert.equal((await balances(api))['usd held'], before + 10_000n);
      assert.equal(
        (await eventsOf(api, number)).filter(({ action }) => action === 'approve').length,
        1,
      );
    }
  });

  it('approve and reject: only one of them happens', async () => {
    const { client } = await api.asMember();
    const { number, version } = await claim(admin, await submitted(client));
    const answers = await Promise.all([
      admin.post(path(number, 'approval'), { version, received_amount: '100' }, { key: true }),
      admin.post(path(number, 'rejection'), { version, reason: 'Nothing came.' }, { key: true }),
    ]);
    assert.deepEqual(statuses(answers), [200, 409]);
    await assertBooksBalance();
  });

  it('complete exchanges of opposite directions without blocking each other', async () => {
    await addPair(admin, 'eur', 'usd');
    await stock(admin, 'usd', '100000');
    const { client } = await api.asMember();
    const approved: Json[] = [];
    for (const pair of [
      'usd-to-eur',
      'eur-to-usd',
      'usd-to-eur',
      'eur-to-usd',
      'usd-to-eur',
      'eur-to-usd',
    ]) {
      approved.push(await approve(admin, await claim(admin, await submitted(client, '100', pair))));
    }
    const done = await Promise.all(
      approved.map((exchange, at) => complete(at % 2 === 0 ? admin : second, exchange)),
    );
    assert.ok(done.every(({ state }) => state === 'completed'));
    await assertBooksBalance();
  });
});

describe('a customer in two windows', () => {
  it('submits and cancels: only one of them happens', async () => {
    const { client } = await api.asMember();
    const { number, version } = await create(client);
    await upload(client, number);
    const answers = await Promise.all([
      client.post(`/api/exchanges/${number}/submission`, { version }, { key: true }),
      client.post(`/api/exchanges/${number}/cancellation`, { version }, { key: true }),
    ]);
    assert.deepEqual(statuses(answers), [200, 409]);
  });

  it('accepts one quote twice: one exchange', async () => {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    const answers = await Promise.all(
      [1, 2, 3].map(() => client.post('/api/exchanges', createBody(token), { key: true })),
    );
    assert.deepEqual(statuses(answers), [201, 409, 409]);
    assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'quote_used'));
  });
});
