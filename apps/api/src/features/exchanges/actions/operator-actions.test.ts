import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addPair, stock } from '#test/desk.ts';
import {
  approve,
  balances,
  claim,
  claimed,
  complete,
  create,
  deskPath,
  eventsOf,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';

const { api, admin, operator } = await startTestDesk({ after });
const { client: second } = await api.asAdmin({ name: 'Sam Field' });

const fresh = async () => (await api.asMember()).client;
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body.code];

describe('POST /api/admin/exchanges/{number}/claim', () => {
  it('claims an exchange for review, which the customer sees', async () => {
    const { client, exchange } = await claimed(api, admin);
    assert.deepEqual([exchange.state, exchange.version], ['under_review', 3]);
    assert.deepEqual([exchange.claim.mine, exchange.claim.by], [true, operator.name]);
    assert.deepEqual(exchange.allowed, [
      'claim',
      'release',
      'record_receipt',
      'ask',
      'approve',
      'reject',
      'note',
    ]);
    const seen = (await client.get(`/api/exchanges/${exchange.number}`)).body.data;
    assert.deepEqual(
      [seen.state, seen.timeline.at(-1).action, seen.timeline.at(-1).by],
      ['under_review', 'claim', 'desk'],
    );
    assert.ok(
      !JSON.stringify(seen).includes(operator.id),
      'a customer never learns who at the desk it was',
    );
  });

  it('is renewed by its holder without an event, and refused to others until it lapses', async () => {
    const { exchange } = await claimed(api, admin);
    const { number, version } = exchange;
    const events = (await eventsOf(api, number)).length;
    const renewed = await admin.post(deskPath(number, '/claim'), { version });
    assert.deepEqual([renewed.status, renewed.body.data.version], [200, version]);
    assert.ok(renewed.body.data.claim.until >= exchange.claim.until);
    assert.equal((await eventsOf(api, number)).length, events);
    assert.deepEqual(refusal(await second.post(deskPath(number, '/claim'), { version })), [
      409,
      'already_claimed',
    ]);

    const lapsed = new Date(Date.now() - MINUTE);
    await api.db
      .updateTable('exchanges')
      .set({ claimed_until: lapsed })
      .where('number', '=', number)
      .execute();
    const body = { version, received_amount: '100.00' };
    const late = await admin.post(deskPath(number, '/approval'), body, { key: true });
    assert.deepEqual(refusal(late), [409, 'not_claimed'], 'a lapsed claim decides nothing');
    const taken = await second.post(deskPath(number, '/claim'), { version });
    assert.deepEqual([taken.status, taken.body.data.claim.by], [200, 'Sam Field']);
    assert.deepEqual(
      refusal(
        await admin.delete(deskPath(number, '/claim'), undefined, {
          query: { version: version + 1 },
        }),
      ),
      [409, 'not_claimed'],
    );
  });

  it('refuses another state (409), an old version (409), nothing at all (404), guests (401) and members (403)', async () => {
    const client = await fresh();
    const { number } = await create(client);
    assert.deepEqual(refusal(await admin.post(deskPath(number, '/claim'), { version: 1 })), [
      409,
      'state_conflict',
    ]);
    assert.deepEqual(refusal(await admin.post(deskPath(number, '/claim'), { version: 9 })), [
      409,
      'version_conflict',
    ]);
    assert.equal(
      (await admin.post(deskPath('CX-0000-0000', '/claim'), { version: 1 })).status,
      404,
    );
    assert.equal((await client.post(deskPath(number, '/claim'), { version: 1 })).status, 403);
    assert.equal((await api.client().post(deskPath(number, '/claim'), { version: 1 })).status, 401);
  });
});

describe('DELETE /api/admin/exchanges/{number}/claim', () => {
  it('releases the exchange', async () => {
    const { client, exchange } = await claimed(api, admin);
    const ask = { query: { version: exchange.version } };
    const answer = await admin.delete(deskPath(exchange.number, '/claim'), undefined, ask);
    assert.deepEqual(
      [answer.status, answer.body.data.state, answer.body.data.claim],
      [200, 'payment_submitted', null],
      answer.text,
    );
    const seen = (await client.get(`/api/exchanges/${exchange.number}`)).body.data;
    assert.ok(
      !seen.timeline.some(({ action }: Json) => action === 'release'),
      'the desk keeps that to itself',
    );
  });
});

describe('POST /api/admin/exchanges/{number}/approval', () => {
  it('posts the received money once, with an audit entry', async () => {
    const { exchange } = await claimed(api, admin, '250');
    const before = await balances(api);
    const key = randomUUID();
    const body = { version: exchange.version, received_amount: '250' };
    const answer = await admin.post(deskPath(exchange.number, '/approval'), body, { key });
    assert.equal(answer.status, 200, answer.text);
    const { data } = answer.body;
    assert.deepEqual([data.state, data.received_amount, data.claim], ['approved', '250.00', null]);
    const again = await admin.post(deskPath(exchange.number, '/approval'), body, { key });
    assert.deepEqual(again.body, answer.body);
    const now = await balances(api);
    assert.equal((now['usd held'] ?? 0n) - (before['usd held'] ?? 0n), 25_000n);
    assert.equal((now['usd customer'] ?? 0n) - (before['usd customer'] ?? 0n), -25_000n);
    const audit = await api.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', exchange.number)
      .orderBy('id')
      .execute();
    assert.deepEqual(audit, [
      { action: 'exchange.claim', actor_id: operator.id },
      { action: 'exchange.approve', actor_id: operator.id },
    ]);
  });

  it('answers 409 for another amount and 422 for an invalid one', async () => {
    const { exchange } = await claimed(api, admin);
    const ask = (received_amount: string) =>
      admin.post(
        deskPath(exchange.number, '/approval'),
        { version: exchange.version, received_amount },
        { key: true },
      );
    const differs = await ask('99.99');
    assert.deepEqual(refusal(differs), [409, 'amount_differs']);
    assert.match(
      differs.body.message,
      /expected amount is 100\.00 USD, and 99\.99 USD were received/,
    );
    assert.equal((await ask('100.001')).status, 422);
    assert.equal((await ask('1e2')).status, 422);
  });

  it('answers 409 for the own exchange and without a claim', async () => {
    const own = await submitted(admin);
    const taken = await claim(admin, own);
    assert.ok(taken.warnings.includes('own_exchange'));
    const body = { version: taken.version, received_amount: '100' };
    assert.deepEqual(
      refusal(await admin.post(deskPath(own.number, '/approval'), body, { key: true })),
      [409, 'own_exchange'],
    );
    const rejection = { version: taken.version, reason: 'Nothing came in.' };
    assert.deepEqual(
      refusal(await admin.post(deskPath(own.number, '/rejection'), rejection, { key: true })),
      [409, 'own_exchange'],
    );
    const { exchange } = await claimed(api, admin);
    const other = { version: exchange.version, received_amount: '100' };
    assert.deepEqual(
      refusal(await second.post(deskPath(exchange.number, '/approval'), other, { key: true })),
      [409, 'not_claimed'],
    );
  });

  it('completes the exchange too where the pair says so, with the payout reference', async () => {
    await addPair(admin, 'eur', 'usd', { complete_on_approval: true });
    await stock(admin, 'usd', '10000');
    const client = await fresh();
    const exchange = await claim(admin, await submitted(client, '100', 'eur-to-usd'));
    const body = { version: exchange.version, received_amount: '100' };
    const bare = await admin.post(deskPath(exchange.number, '/approval'), body, { key: true });
    assert.deepEqual(bare.body.errors, {
      payout_reference: ['The payout reference field is required.'],
    });
    const full = await admin.post(
      deskPath(exchange.number, '/approval'),
      { ...body, payout_reference: 'P-7' },
      { key: true },
    );
    assert.deepEqual(
      [full.status, full.body.data.state, full.body.data.payout_reference],
      [200, 'completed', 'P-7'],
      full.text,
    );
    assert.deepEqual(
      (await eventsOf(api, exchange.number)).slice(-2).map(({ action }) => action),
      ['approve', 'complete'],
    );
    const kinds = await api.db
      .selectFrom('ledger_transactions')
      .select('kind')
      .where('exchange_number', '=', exchange.number)
      .execute();
    assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), [
      'conversion',
      'hold',
      'money_in',
      'payout',
    ]);
  });
});

describe('POST /api/admin/exchanges/{number}/rejection', () => {
  it('releases the hold and shows the customer the reason', async () => {
    const { client, exchange } = await claimed(api, admin);
    const held = (await balances(api))['eur held'] ?? 0n;
    const url = deskPath(exchange.number, '/rejection');
    for (const reason of ['no', '    ']) {
      const body = { version: exchange.version, reason };
      assert.equal((await admin.post(url, body, { key: true })).status, 422);
    }
    const reason = 'No such payment has arrived.';
    const answer = await admin.post(url, { version: exchange.version, reason }, { key: true });
    assert.deepEqual([answer.status, answer.body.data.state], [200, 'rejected'], answer.text);
    assert.equal((await balances(api))['eur held'] ?? 0n, held - 9108n);
    const seen = (await client.get(`/api/exchanges/${exchange.number}`)).body.data;
    assert.deepEqual([seen.closed_reason, seen.timeline.at(-1).reason], [reason, reason]);
  });
});

describe('POST /api/admin/exchanges/{number}/completion', () => {
  it('posts conversion and payout, and the public list has initials', async () => {
    const { client } = await api.asMember({ name: 'Noor El-Amin' });
    const exchange = await approve(admin, await claim(admin, await submitted(client, '500')));
    const before = await balances(api);
    const done = await complete(second, exchange);
    assert.deepEqual([done.state, done.payout_reference], ['completed', `PAYOUT-${done.number}`]);
    const now = await balances(api);
    const moved = (account: string) => (now[account] ?? 0n) - (before[account] ?? 0n);
    // 500 USD at 0.9108 are 455.40 EUR; at the mid rate of 0.92 they are 460.00.
    assert.deepEqual(
      [
        'usd available',
        'usd held',
        'usd customer',
        'usd position',
        'eur position',
        'eur spread',
        'eur held',
        'eur customer',
      ].map(moved),
      [50_000n, -50_000n, 50_000n, -50_000n, 46_000n, -460n, -45_540n, 0n],
    );
    const latest = (await api.client().get('/api/public/latest-exchanges')).body.data;
    const mine = latest.find(({ send_amount }: Json) => send_amount === '500.00');
    assert.deepEqual(
      [mine.customer, mine.state, mine.receive_amount],
      ['N. A.', 'completed', '455.40'],
    );
    assert.ok(!JSON.stringify(latest).includes('Noor'));
    const currency = (await admin.get('/api/admin/currencies/usd')).body.data;
    const name = `Dollar ${randomUUID().slice(0, 8)}`;
    const renamed = { version: currency.version, name };
    assert.equal((await admin.patch('/api/admin/currencies/usd', renamed)).status, 200);
    const shown = () => api.client().get('/api/public/latest-exchanges');
    // The list is rebuilt by a notice after the commit.
    for (let tries = 0; tries < 500 && !(await shown()).text.includes(name); tries += 1)
      await sleep(20);
    assert.ok((await shown()).text.includes(name));
    const again = await admin.post(
      deskPath(exchange.number, '/completion'),
      { version: done.version, payout_reference: 'x' },
      { key: true },
    );
    assert.deepEqual(refusal(again), [409, 'state_conflict']);
  });
});
