import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { addPair, stock } from '#test/desk.ts';
import {
  approve, balances, claim, complete, create, createBody, eventsOf, openDesk, passPayBy, picture, quote, submitted, upload,
} from '#test/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { namesDiffer } from './desk-view.ts';
import { numberPrefix } from './search.ts';

const api = await startTestApi({ after });
const { client: admin, user: operator } = await api.asAdmin();
const { client: second } = await api.asAdmin({ name: 'Sam Field' });
await openDesk(admin);

const path = (number: string, rest = '') => `/api/admin/exchanges/${number}${rest}`;
const fresh = async () => (await api.asMember()).client;
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body.code];

async function claimed(amount?: string): Promise<{ client: Client; exchange: Json }> {
  const client = await fresh();
  return { client, exchange: await claim(admin, await submitted(client, amount)) };
}

describe('POST /api/admin/exchanges/{number}/claim', () => {
  it('takes an exchange for review, and the customer sees that', async () => {
    const { client, exchange } = await claimed();
    assert.deepEqual([exchange.state, exchange.version], ['under_review', 3]);
    assert.deepEqual([exchange.claim.mine, exchange.claim.by], [true, operator.name]);
    assert.deepEqual(exchange.allowed, ['claim', 'release', 'approve', 'reject', 'note']);
    const seen = (await client.get(`/api/exchanges/${exchange.number}`)).body.data;
    assert.deepEqual([seen.state, seen.timeline.at(-1).action, seen.timeline.at(-1).by], ['under_review', 'claim', 'desk']);
    assert.ok(!JSON.stringify(seen).includes(operator.id), 'a customer never learns who at the desk it was');
  });

  it('is renewed by its holder without a trace, and closed to others until it lapses', async () => {
    const { exchange } = await claimed();
    const { number, version } = exchange;
    const events = (await eventsOf(api, number)).length;
    const renewed = await admin.post(path(number, '/claim'), { version });
    assert.deepEqual([renewed.status, renewed.body.data.version], [200, version]);
    assert.ok(renewed.body.data.claim.until >= exchange.claim.until);
    assert.equal((await eventsOf(api, number)).length, events);
    assert.deepEqual(refusal(await second.post(path(number, '/claim'), { version })), [409, 'already_claimed']);

    const lapsed = new Date(Date.now() - MINUTE);
    await api.db.updateTable('exchanges').set({ claimed_until: lapsed }).where('number', '=', number).execute();
    const body = { version, received_amount: '100.00' };
    const late = await admin.post(path(number, '/approval'), body, { key: true });
    assert.deepEqual(refusal(late), [409, 'not_claimed'], 'a lapsed claim decides nothing');
    const taken = await second.post(path(number, '/claim'), { version });
    assert.deepEqual([taken.status, taken.body.data.claim.by], [200, 'Sam Field']);
    assert.deepEqual(refusal(await admin.delete(path(number, '/claim'), undefined, { query: { version: version + 1 } })), [409, 'not_claimed']);
  });

  it('refuses another state (409), an old version (409), nothing at all (404), guests (401) and members (403)', async () => {
    const client = await fresh();
    const { number } = await create(client);
    assert.deepEqual(refusal(await admin.post(path(number, '/claim'), { version: 1 })), [409, 'state_conflict']);
    assert.deepEqual(refusal(await admin.post(path(number, '/claim'), { version: 9 })), [409, 'version_conflict']);
    assert.equal((await admin.post(path('CX-0000-0000', '/claim'), { version: 1 })).status, 404);
    assert.equal((await client.post(path(number, '/claim'), { version: 1 })).status, 403);
    assert.equal((await api.client().post(path(number, '/claim'), { version: 1 })).status, 401);
  });
});

describe('DELETE /api/admin/exchanges/{number}/claim', () => {
  it('gives the exchange back', async () => {
    const { client, exchange } = await claimed();
    const ask = { query: { version: exchange.version } };
    const answer = await admin.delete(path(exchange.number, '/claim'), undefined, ask);
    assert.deepEqual([answer.status, answer.body.data.state, answer.body.data.claim], [200, 'payment_submitted', null], answer.text);
    const seen = (await client.get(`/api/exchanges/${exchange.number}`)).body.data;
    assert.ok(!seen.timeline.some(({ action }: Json) => action === 'release'), 'the desk keeps that to itself');
  });
});

describe('POST /api/admin/exchanges/{number}/approval', () => {
  it('posts the money that came in, once, and is on record', async () => {
    const { exchange } = await claimed('250');
    const before = await balances(api);
    const key = randomUUID();
    const body = { version: exchange.version, received_amount: '250' };
    const answer = await admin.post(path(exchange.number, '/approval'), body, { key });
    assert.equal(answer.status, 200, answer.text);
    const { data } = answer.body;
    assert.deepEqual([data.state, data.received_amount, data.claim], ['approved', '250.00', null]);
    const again = await admin.post(path(exchange.number, '/approval'), body, { key });
    assert.deepEqual(again.body, answer.body);
    const now = await balances(api);
    assert.equal((now['usd held'] ?? 0n) - (before['usd held'] ?? 0n), 25_000n);
    assert.equal((now['usd customer'] ?? 0n) - (before['usd customer'] ?? 0n), -25_000n);
    const audit = await api.db.selectFrom('audit_events').select(['action', 'actor_id'])
      .where('subject_id', '=', exchange.number).orderBy('id').execute();
    assert.deepEqual(audit, [
      { action: 'exchange.claim', actor_id: operator.id }, { action: 'exchange.approve', actor_id: operator.id },
    ]);
  });

  it('refuses any other amount than the expected one (409), and what is no amount (422)', async () => {
    const { exchange } = await claimed();
    const ask = (received_amount: string) =>
      admin.post(path(exchange.number, '/approval'), { version: exchange.version, received_amount }, { key: true });
    const differs = await ask('99.99');
    assert.deepEqual(refusal(differs), [409, 'amount_differs']);
    assert.match(differs.body.message, /was to send 100\.00 USD, and 99\.99 USD is entered/);
    assert.equal((await ask('100.001')).status, 422);
    assert.equal((await ask('1e2')).status, 422);
  });

  it("is never an operator's own (409), nor without a claim (409)", async () => {
    const own = await submitted(admin);
    const taken = await claim(admin, own);
    assert.ok(taken.warnings.includes('own_exchange'));
    const body = { version: taken.version, received_amount: '100' };
    assert.deepEqual(refusal(await admin.post(path(own.number, '/approval'), body, { key: true })), [409, 'own_exchange']);
    const { exchange } = await claimed();
    const other = { version: exchange.version, received_amount: '100' };
    assert.deepEqual(refusal(await second.post(path(exchange.number, '/approval'), other, { key: true })), [409, 'not_claimed']);
  });

  it('completes in the same step where the pair says so, and then asks for the reference', async () => {
    await addPair(admin, 'eur', 'usd', { complete_on_approval: true });
    await stock(admin, 'usd', '10000');
    const client = await fresh();
    const exchange = await claim(admin, await submitted(client, '100', 'eur-to-usd'));
    const body = { version: exchange.version, received_amount: '100' };
    const bare = await admin.post(path(exchange.number, '/approval'), body, { key: true });
    assert.deepEqual(bare.body.errors, { payout_reference: ['The payout reference field is required.'] });
    const full = await admin.post(path(exchange.number, '/approval'), { ...body, payout_reference: 'P-7' }, { key: true });
    assert.deepEqual([full.status, full.body.data.state, full.body.data.payout_reference], [200, 'completed', 'P-7'], full.text);
    assert.deepEqual((await eventsOf(api, exchange.number)).slice(-2).map(({ action }) => action), ['approve', 'complete']);
    const kinds = await api.db.selectFrom('ledger_transactions').select('kind')
      .where('exchange_number', '=', exchange.number).execute();
    assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['conversion', 'hold', 'money_in', 'payout']);
  });
});

describe('POST /api/admin/exchanges/{number}/rejection', () => {
  it('frees the hold and tells the customer why', async () => {
    const { client, exchange } = await claimed();
    const held = (await balances(api))['eur held'] ?? 0n;
    const url = path(exchange.number, '/rejection');
    const short = await admin.post(url, { version: exchange.version, reason: 'no' }, { key: true });
    assert.equal(short.status, 422);
    const reason = 'No such payment has arrived.';
    const answer = await admin.post(url, { version: exchange.version, reason }, { key: true });
    assert.deepEqual([answer.status, answer.body.data.state], [200, 'rejected'], answer.text);
    assert.equal((await balances(api))['eur held'] ?? 0n, held - 9108n);
    const seen = (await client.get(`/api/exchanges/${exchange.number}`)).body.data;
    assert.deepEqual([seen.closed_reason, seen.timeline.at(-1).reason], [reason, reason]);
  });
});

describe('POST /api/admin/exchanges/{number}/completion', () => {
  it('converts and pays out, and the public sees initials', async () => {
    const { client } = await api.asMember({ name: 'Noor El-Amin' });
    const exchange = await approve(admin, await claim(admin, await submitted(client, '500')));
    const before = await balances(api);
    const done = await complete(second, exchange);
    assert.deepEqual([done.state, done.payout_reference], ['completed', 'PAYOUT-1']);
    const now = await balances(api);
    const moved = (account: string) => (now[account] ?? 0n) - (before[account] ?? 0n);
    // 500 USD at 0.9108 are 455.40 EUR; at the mid rate of 0.92 they are 460.00.
    assert.deepEqual(
      ['usd available', 'usd held', 'usd customer', 'usd position', 'eur position', 'eur spread', 'eur held', 'eur customer'].map(moved),
      [50_000n, -50_000n, 50_000n, -50_000n, 46_000n, -460n, -45_540n, 0n],
    );
    const latest = (await api.client().get('/api/public/latest-exchanges')).body.data;
    const mine = latest.find(({ send_amount }: Json) => send_amount === '500.00');
    assert.deepEqual([mine.customer, mine.state, mine.receive_amount], ['N. A.', 'completed', '455.40']);
    assert.ok(!JSON.stringify(latest).includes('Noor'));
    const again = await admin.post(path(exchange.number, '/completion'), { version: done.version, payout_reference: 'x' }, { key: true });
    assert.deepEqual(refusal(again), [409, 'state_conflict']);
  });
});

describe('POST /api/admin/exchanges/{number}/notes', () => {
  it('stands in the timeline of the desk alone, and changes no version', async () => {
    const client = await fresh();
    const { number, version } = await create(client);
    const answer = await admin.post(path(number, '/notes'), { text: 'Called the customer.' });
    assert.equal(answer.status, 201, answer.text);
    const last = answer.body.data.timeline.at(-1);
    assert.deepEqual([last.action, last.reason, last.actor], ['note', 'Called the customer.', operator.name]);
    assert.equal(answer.body.data.version, version);
    assert.ok(!(await client.get(`/api/exchanges/${number}`)).text.includes('Called'));
  });
});

describe('GET /api/admin/exchanges', () => {
  it('sorts exchanges into queues and counts them', async () => {
    const client = await fresh();
    const waiting = await create(client);
    const first = await submitted(client);
    const next = await submitted(client);
    const mine = await claim(second, await submitted(client));
    const paid = await approve(admin, await claim(admin, await submitted(client)));
    const numbers = async (browser: Client, queue: string) =>
      (await browser.get('/api/admin/exchanges', { query: { queue, per_page: 100 } })).body.data.map(({ number }: Json) => number);
    const review = await numbers(second, 'to_review');
    assert.ok(review.indexOf(first.number) < review.indexOf(next.number), 'the oldest work first');
    assert.ok(!review.includes(mine.number));
    assert.ok((await numbers(second, 'mine')).includes(mine.number));
    assert.ok(!(await numbers(admin, 'mine')).includes(mine.number));
    assert.ok((await numbers(second, 'to_pay_out')).includes(paid.number));
    assert.ok((await numbers(second, 'awaiting_payment')).includes(waiting.number));
    assert.equal((await numbers(second, 'all'))[0], paid.number, 'everything, newest first');

    await api.db.updateTable('exchanges').set({ claimed_until: new Date(Date.now() - 1000) }).where('number', '=', mine.number).execute();
    assert.ok((await numbers(admin, 'to_review')).includes(mine.number), 'a lapsed claim is work again');
    const counts = (await second.get('/api/admin/exchanges/counts')).body.data;
    assert.deepEqual(
      [counts.mine, counts.to_review, counts.to_pay_out],
      [(await numbers(second, 'mine')).length, (await numbers(second, 'to_review')).length, (await numbers(second, 'to_pay_out')).length],
    );
    assert.ok(Date.parse(counts.oldest_to_review_at) <= Date.parse(first.submitted_at));
  });

  it('goes on from a cursor without losing or repeating any, both ways round', async () => {
    for (const queue of ['to_review', 'all']) {
      const whole = (await admin.get('/api/admin/exchanges', { query: { queue, per_page: 100 } })).body.data;
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { queue, per_page: 2, ...(cursor === '' ? {} : { cursor }) };
        const { data, meta }: Json = (await admin.get('/api/admin/exchanges', { query })).body;
        found.push(...data.map(({ number }: Json) => number));
        cursor = meta.next_cursor;
      }
      assert.deepEqual(found, whole.map(({ number }: Json) => number), queue);
      assert.ok(found.length > 2);
    }
    assert.equal((await admin.get('/api/admin/exchanges', { query: { cursor: 'nonsense' } })).status, 422);
  });

  it('finds by the beginning of a number, by name, by address and by amount', async () => {
    const email = `${randomUUID()}@search.example`;
    const { client } = await api.asMember({ name: 'Zoë 100%_Quill', email });
    const { number } = await create(client, '123.45');
    const search = async (text: string) =>
      (await admin.get('/api/admin/exchanges', { query: { queue: 'all', search: text } })).body.data.map((row: Json) => row.number);
    for (const text of [number, number.toLowerCase(), number.slice(3, 10), 'quill', '100%_q', email.slice(4, 20), '123.45', ' 112.43 ']) {
      assert.ok((await search(text)).includes(number), text);
    }
    for (const text of ['12345', '1.2345', '%', 'nobody of that name', "'; drop table users; --"]) {
      assert.ok(!(await search(text)).includes(number) || text === '%', text);
    }
    assert.deepEqual(['cx-7f3k-9', '7f3k9', '7F3K92QD', 'CX', 'hello', '7f3k92qd0'].map(numberPrefix),
      ['CX-7F3K-9', 'CX-7F3K-9', 'CX-7F3K-92QD', 'CX-CX', null, null]);
  });
});

describe('GET /api/admin/exchanges/{number}', () => {
  it('tells what the desk knows, and what is left of the reserve', async () => {
    const client = await fresh();
    const exchange = await submitted(client);
    const { body } = await admin.get(path(exchange.number));
    const { data } = body;
    const reserves = (await admin.get('/api/admin/reserves')).body.data;
    const eur = reserves.find(({ currency }: Json) => currency.slug === 'eur');
    assert.equal(data.reserve_left, eur.available);
    assert.deepEqual([data.spread, data.margin_percent, data.proofs.length], ['0.92', '1', 1]);
    assert.match(data.proofs[0].sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(data.payout_fields.map(({ label }: Json) => label), ['Account holder', 'IBAN']);
    assert.deepEqual(data.timeline.map(({ action }: Json) => action), ['create', 'upload_proof', 'submit']);
    assert.equal((await client.get(path(exchange.number))).status, 403);
    assert.equal((await admin.get(path('CX-0000-0000'))).status, 404);
  });

  it('warns of the same file, a new account, a late payment and another name', async () => {
    const bytes = await picture();
    const [one, other] = [await api.asMember({ name: 'Alex Marlow' }), await api.asMember({ name: 'Kim Osei' })];
    const first = await create(one.client);
    await upload(one.client, first.number, bytes);
    const second_ = await create(other.client);
    await upload(other.client, second_.number, bytes);
    await passPayBy(api, second_.number);
    const { endOverdue } = await import('./overdue.ts');
    const { openWork } = await import('./exchanges.ts');
    await endOverdue(await openWork(api.deps));
    const { data } = (await admin.get(path(second_.number))).body;
    assert.deepEqual(data.warnings, ['same_file', 'new_account', 'late', 'name_differs']);
    const [twin] = data.proofs[0].same_file;
    assert.deepEqual([twin.number, twin.customer, twin.same_customer], [first.number, 'Alex Marlow', false]);
    await api.db.updateTable('users').set({ created_at: new Date(Date.now() - 8 * DAY) }).where('id', '=', one.user.id).execute();
    assert.deepEqual((await admin.get(path(first.number))).body.data.warnings, ['same_file']);
  });

  it('compares names as people write them', () => {
    for (const [one, other] of [['Ana María Cruz', 'CRUZ Ana Maria'], ['Jo Ann Lee', 'Jo Lee'], ['Łukasz', 'łukasz']] as const) {
      assert.equal(namesDiffer(one, other), false, one);
    }
    for (const [one, other] of [['Ana Cruz', 'Ana Lopez'], ['Jo Lee', 'Joe Lee'], ['', 'Ana']] as const) {
      assert.equal(namesDiffer(one, other), true, one);
    }
  });
});

describe('GET /api/admin/reserves/reconciliation', () => {
  it('finds the ledger balanced after all of this', async () => {
    const { status, body } = await admin.get('/api/admin/reserves/reconciliation');
    assert.equal(status, 200);
    assert.deepEqual([body.data.balanced, body.data.differences], [true, []]);
  });

  it('stops approvals while the last run found a difference, and lets them go on after one without', async () => {
    const { exchange } = await claimed();
    // An exchange that expired behind the ledger's back: its hold stands without it.
    const client = await fresh();
    const lost = await create(client);
    const set = (state: 'expired' | 'awaiting_payment') =>
      api.db.updateTable('exchanges').set({ state }).where('number', '=', lost.number).execute();
    await set('expired');
    await api.scheduler.tick(new Date(Date.now() + HOUR));
    const run = await api.db.selectFrom('task_runs').selectAll().where('task', '=', 'reconcile-ledger')
      .orderBy('slot', 'desc').executeTakeFirstOrThrow();
    assert.deepEqual([run.outcome, run.detail], ['failed', 'Error: 1 differences in the ledger.']);
    const found = (await admin.get('/api/admin/reserves/reconciliation')).body.data;
    assert.deepEqual(found.differences.map(({ currency, what }: Json) => [currency, what]), [['eur', 'held']]);

    const key = randomUUID();
    const body = { version: exchange.version, received_amount: '100' };
    const stopped = await admin.post(path(exchange.number, '/approval'), body, { key });
    assert.deepEqual(refusal(stopped), [503, 'ledger_unbalanced']);
    await set('awaiting_payment');
    await api.scheduler.tick(new Date(Date.now() + 2 * HOUR));
    const resumed = await admin.post(path(exchange.number, '/approval'), body, { key });
    assert.equal(resumed.status, 200, 'the same key is not spent by a 503');
  });
});

describe('an exchange of the desk', () => {
  it('needs one connection alone for every action', async (t) => {
    const narrow = await startTestApi(t, { poolSize: 1 });
    const { client: boss } = await narrow.asAdmin();
    await openDesk(boss);
    const { client } = await narrow.asMember();
    const done = await complete(boss, await approve(boss, await claim(boss, await submitted(client))));
    assert.equal(done.state, 'completed');
    const { token } = await quote(client);
    assert.equal((await client.post('/api/exchanges', createBody(token), { key: true })).status, 201);
  });
});
