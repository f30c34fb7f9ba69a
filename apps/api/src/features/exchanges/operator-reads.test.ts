import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import {
  approve,
  claim,
  claimed,
  complete,
  create,
  createBody,
  deskPath,
  openDesk,
  passPayBy,
  picture,
  quote,
  startTestDesk,
  submitted,
  upload,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { namesDiffer } from './operator-view.ts';

const { api, admin } = await startTestDesk({ after });
const { client: second } = await api.asAdmin({ name: 'Sam Field' });

const fresh = async () => (await api.asMember()).client;
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body.code];

describe('GET /api/admin/exchanges', () => {
  it('lists exchanges by queue and counts them', async () => {
    const client = await fresh();
    const waiting = await create(client);
    const first = await submitted(client);
    const next = await submitted(client);
    const mine = await claim(second, await submitted(client));
    const paid = await approve(admin, await claim(admin, await submitted(client)));
    const numbers = async (browser: Client, queue: string) =>
      (
        await browser.get('/api/admin/exchanges', { query: { queue, per_page: 100 } })
      ).body.data.map(({ number }: Json) => number);
    const review = await numbers(second, 'to_review');
    assert.ok(review.indexOf(first.number) < review.indexOf(next.number), 'the oldest work first');
    assert.ok(!review.includes(mine.number));
    assert.ok((await numbers(second, 'mine')).includes(mine.number));
    assert.ok(!(await numbers(admin, 'mine')).includes(mine.number));
    assert.ok((await numbers(second, 'to_pay_out')).includes(paid.number));
    assert.ok((await numbers(second, 'awaiting_payment')).includes(waiting.number));
    assert.equal((await numbers(second, 'all'))[0], paid.number, 'everything, newest first');

    await api.db
      .updateTable('exchanges')
      .set({ claimed_until: new Date(Date.now() - 1000) })
      .where('number', '=', mine.number)
      .execute();
    assert.ok(
      (await numbers(admin, 'to_review')).includes(mine.number),
      'a lapsed claim is work again',
    );
    const counts = (await second.get('/api/admin/exchanges/counts')).body.data;
    assert.deepEqual(
      [counts.mine, counts.to_review, counts.to_pay_out],
      [
        (await numbers(second, 'mine')).length,
        (await numbers(second, 'to_review')).length,
        (await numbers(second, 'to_pay_out')).length,
      ],
    );
    assert.ok(Date.parse(counts.oldest_to_review_at) <= Date.parse(first.submitted_at));
  });

  it('continues from a cursor without gaps or repetitions in both directions', async () => {
    for (const queue of ['to_review', 'all']) {
      const whole = (await admin.get('/api/admin/exchanges', { query: { queue, per_page: 100 } }))
        .body.data;
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = { queue, per_page: 2, ...(cursor === '' ? {} : { cursor }) };
        const { data, meta }: Json = (await admin.get('/api/admin/exchanges', { query })).body;
        found.push(...data.map(({ number }: Json) => number));
        cursor = meta.next_cursor;
      }
      assert.deepEqual(
        found,
        whole.map(({ number }: Json) => number),
        queue,
      );
      assert.ok(found.length > 2);
    }
    const farAway = `999999999999999 ${randomUUID()}`;
    for (const cursor of ['nonsense', Buffer.from(farAway).toString('base64url')])
      assert.equal((await admin.get('/api/admin/exchanges', { query: { cursor } })).status, 422);
  });
});

describe('GET /api/admin/exchanges/{number}', () => {
  it('has every detail and the remaining reserve', async () => {
    const client = await fresh();
    const exchange = await submitted(client);
    const { body } = await admin.get(deskPath(exchange.number));
    const { data } = body;
    const reserves = (await admin.get('/api/admin/reserves')).body.data;
    const eur = reserves.find(({ currency }: Json) => currency.slug === 'eur');
    assert.equal(data.reserve_left, eur.available);
    assert.deepEqual([data.spread, data.margin_percent, data.proofs.length], ['0.92', '1', 1]);
    assert.match(data.proofs[0].sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(
      data.payout_fields.map(({ label }: Json) => label),
      ['Account holder', 'IBAN'],
    );
    assert.deepEqual(
      data.timeline.map(({ action }: Json) => action),
      ['create', 'upload_proof', 'submit'],
    );
    assert.equal((await client.get(deskPath(exchange.number))).status, 403);
    assert.equal((await admin.get(deskPath('CX-0000-0000'))).status, 404);
  });

  it('warns of the same file, a new account, a late payment and another name', async () => {
    const bytes = await picture();
    const [one, other] = [
      await api.asMember({ name: 'Alex Marlow' }),
      await api.asMember({ name: 'Kim Osei' }),
    ];
    const first = await create(one.client);
    await upload(one.client, first.number, bytes);
    const second_ = await create(other.client);
    await upload(other.client, second_.number, bytes);
    await passPayBy(api, second_.number);
    const { endOverdue } = await import('./actions/end-unpaid.ts');
    const { openContext } = await import('./context.ts');
    await endOverdue(await openContext(api.deps));
    const { data } = (await admin.get(deskPath(second_.number))).body;
    const own = ['same_file', 'new_account', 'late', 'name_differs'];
    assert.deepEqual(data.warnings, [...own, 'account_shared']);
    const [twin] = data.proofs[0].same_file;
    assert.deepEqual(
      [twin.number, twin.customer, twin.same_customer],
      [first.number, 'Alex Marlow', false],
    );
    await api.db
      .updateTable('users')
      .set({ created_at: new Date(Date.now() - 8 * DAY) })
      .where('id', '=', one.user.id)
      .execute();
    const { warnings } = (await admin.get(deskPath(first.number))).body.data;
    assert.deepEqual(warnings, ['same_file', 'account_shared']);
  });

  it('compares names regardless of their spelling', () => {
    for (const [one, other] of [
      ['Ana María Cruz', 'CRUZ Ana Maria'],
      ['Jo Ann Lee', 'Jo Lee'],
      ['Łukasz', 'łukasz'],
      ['علی\u200cرضا', 'علیرضا'],
    ] as const) {
      assert.equal(namesDiffer(one, other), false, one);
    }
    for (const [one, other] of [
      ['Ana Cruz', 'Ana Lopez'],
      ['Jo Lee', 'Joe Lee'],
      ['', 'Ana'],
    ] as const) {
      assert.equal(namesDiffer(one, other), true, one);
    }
  });
});

describe('GET /api/admin/reserves/reconciliation', () => {
  it('finds the ledger balanced after these exchanges', async () => {
    const { status, body } = await admin.get('/api/admin/reserves/reconciliation');
    assert.equal(status, 200);
    assert.deepEqual([body.data.balanced, body.data.differences], [true, []]);
  });

  it('refuses approvals until a reconciliation without differences', async () => {
    const { exchange } = await claimed(api, admin);
    // Expired without a posting, so its hold remains.
    const client = await fresh();
    const lost = await create(client);
    const set = (state: 'expired' | 'awaiting_payment') =>
      api.db.updateTable('exchanges').set({ state }).where('number', '=', lost.number).execute();
    await set('expired');
    await api.scheduler.tick(new Date(Date.now() + HOUR));
    const run = await api.db
      .selectFrom('task_runs')
      .selectAll()
      .where('task', '=', 'reconcile-ledger')
      .orderBy('slot', 'desc')
      .executeTakeFirstOrThrow();
    assert.deepEqual([run.outcome, run.detail], ['failed', 'Error: 3 differences in the ledger.']);
    const found = (await admin.get('/api/admin/reserves/reconciliation')).body.data;
    assert.deepEqual(
      found.differences.map((difference: Json) => [difference.what, difference.account]).toSorted(),
      [
        ['exchange', 'available'],
        ['exchange', 'held'],
        ['held', 'held'],
      ],
    );

    const key = randomUUID();
    const body = { version: exchange.version, received_amount: '100' };
    const stopped = await admin.post(deskPath(exchange.number, '/approval'), body, { key });
    assert.deepEqual(refusal(stopped), [503, 'ledger_unbalanced']);
    await set('awaiting_payment');
    await api.scheduler.tick(new Date(Date.now() + 2 * HOUR));
    const resumed = await admin.post(deskPath(exchange.number, '/approval'), body, { key });
    assert.equal(resumed.status, 200, 'the same key is not spent by a 503');
  });
});

describe('an exchange of the desk', () => {
  it('needs only one connection for every action', async (t) => {
    const narrow = await startTestApi(t, { poolSize: 1 });
    const { client: boss } = await narrow.asAdmin();
    await openDesk(boss);
    const { client } = await narrow.asMember();
    const done = await complete(
      boss,
      await approve(boss, await claim(boss, await submitted(client))),
    );
    assert.equal(done.state, 'completed');
    const { token } = await quote(client);
    assert.equal(
      (await client.post('/api/exchanges', createBody(token), { key: true })).status,
      201,
    );
  });

  it('shows what the contact form brought about it, and from which address', async () => {
    const exchange = await submitted((await api.asMember()).client);
    const message = { name: 'Ann', email: 'ann@example.com', message: 'Where is my money?' };
    const body = { ...message, exchange_number: exchange.number.toLowerCase() };
    assert.equal((await api.client().post('/api/contact-submissions', body)).status, 201);
    const { contact } = (await admin.get(deskPath(exchange.number))).body.data;
    assert.deepEqual(
      contact.map(({ email, excerpt }: Json) => [email, excerpt]),
      [['ann@example.com', 'Where is my money?']],
    );
  });
});
