import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Json } from '#test/client.ts';
import { addCurrency } from '#test/desk.ts';
import {
  balances,
  cancel,
  create,
  eventsOf,
  passPayBy,
  startTestDesk,
  submit,
  submitted,
  upload,
} from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
await addCurrency(admin, 'gbp', { position: 3 });
const { client: member } = await api.asMember();
const { client: stranger } = await api.asMember();

describe('GET /api/exchanges/{number}', () => {
  it('shows an exchange to its owner only', async () => {
    const { number } = await create(member);
    const own = await member.get(`/api/exchanges/${number}`);
    assert.equal(own.status, 200);
    assert.equal(own.body.data.number, number);
    assert.equal((await stranger.get(`/api/exchanges/${number}`)).status, 404);
    assert.equal(
      (await admin.get(`/api/exchanges/${number}`)).status,
      404,
      'the desk has its own way',
    );
    assert.equal((await api.client().get(`/api/exchanges/${number}`)).status, 401);
    for (const odd of ['CX-0000-0000', 'nonsense', '%2e%2e']) {
      assert.equal((await member.get(`/api/exchanges/${odd}`)).status, 404, odd);
    }
    await cancel(member, own.body.data);
  });
});

describe('POST /api/exchanges/{number}/submission', () => {
  it('submits with a proof, and can be undone once', async () => {
    const exchange = await create(member);
    const path = `/api/exchanges/${exchange.number}/submission`;
    const early = await member.post(path, { version: 1 }, { key: true });
    assert.deepEqual([early.status, early.body.code], [409, 'evidence_missing']);
    await upload(member, exchange.number);
    const stale = await member.post(path, { version: 7 }, { key: true });
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict']);
    const first = await submit(member, exchange);
    assert.equal(first.state, 'payment_submitted');
    assert.ok(Date.parse(first.undo_until) > Date.now());

    const undone = await member.delete(path, undefined, { key: true, query: { version: 2 } });
    assert.deepEqual(
      [undone.status, undone.body.data.state],
      [200, 'awaiting_payment'],
      undone.text,
    );
    assert.equal(undone.body.data.pay_by, exchange.pay_by, 'the time to pay is not prolonged');
    const again = await submit(member, undone.body.data);
    assert.equal(again.undo_until, null);
    const twice = await member.delete(path, undefined, {
      key: true,
      query: { version: again.version },
    });
    assert.deepEqual([twice.status, twice.body.code], [409, 'undo_window_closed']);
    assert.deepEqual(
      (await eventsOf(api, exchange.number)).map(({ action }) => action),
      ['create', 'upload_proof', 'submit', 'undo', 'submit'],
    );
  });

  it('accepts a reference where the pair allows it', async () => {
    const { body } = await admin.get('/api/admin/pairs/usd-to-eur');
    const path = '/api/admin/pairs/usd-to-eur';
    await admin.patch(path, { version: body.data.version, evidence: 'reference' });
    const { client } = await api.asMember();
    const { number, version } = await create(client);
    const url = `/api/exchanges/${number}/submission`;
    const without = await client.post(url, { version }, { key: true });
    assert.deepEqual(
      [without.status, without.body.message],
      [409, 'Give the reference of your payment.'],
    );
    const blank = await client.post(url, { version, payment_reference: '  ' }, { key: true });
    assert.deepEqual(blank.body.errors, {
      payment_reference: ['The payment reference field is required.'],
    });
    const given = await client.post(url, { version, payment_reference: 'TX 42' }, { key: true });
    assert.deepEqual([given.status, given.body.data.payment_reference], [200, 'TX 42']);
    await admin.patch(path, { version: body.data.version + 1, evidence: 'proof' });
  });

  it('answers 409 after the time to pay', async () => {
    const { client } = await api.asMember();
    const exchange = await create(client);
    await upload(client, exchange.number);
    await passPayBy(api, exchange.number);
    const late = await client.post(
      `/api/exchanges/${exchange.number}/submission`,
      { version: 1 },
      { key: true },
    );
    assert.deepEqual([late.status, late.body.code], [409, 'payment_overdue']);
  });

  it('answers 404 to another customer', async () => {
    const { client } = await api.asMember();
    const { number } = await create(client);
    const answer = await stranger.post(
      `/api/exchanges/${number}/submission`,
      { version: 1 },
      { key: true },
    );
    assert.equal(answer.status, 404);
  });
});

describe('POST /api/exchanges/{number}/cancellation', () => {
  it('releases the hold once and answers a repetition the same', async () => {
    const { client } = await api.asMember();
    const { number, version } = await create(client);
    const key = randomUUID();
    const path = `/api/exchanges/${number}/cancellation`;
    const before = (await balances(api))['eur held'] ?? 0n;
    const first = await client.post(path, { version }, { key });
    const again = await client.post(path, { version }, { key });
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await balances(api))['eur held'] ?? 0n, before - 9108n);
    const other = await client.post(path, { version: 2 }, { key: true });
    assert.deepEqual([other.status, other.body.code], [409, 'state_conflict']);
  });

  it('answers 409 after the submission', async () => {
    const { client } = await api.asMember();
    const { number, version } = await submitted(client);
    const answer = await client.post(
      `/api/exchanges/${number}/cancellation`,
      { version },
      { key: true },
    );
    assert.deepEqual([answer.status, answer.body.code], [409, 'state_conflict']);
  });
});

describe('the end of the time to pay', () => {
  it('expires an exchange without a proof and submits one with a proof', async () => {
    const { client } = await api.asMember();
    const [bare, proven, waiting] = [
      await create(client),
      await create(client),
      await create(client),
    ];
    await upload(client, proven.number);
    await passPayBy(api, bare.number);
    await passPayBy(api, proven.number);
    const { endOverdue } = await import('./actions/end-unpaid.ts');
    const { openContext } = await import('./context.ts');
    const held = (await balances(api))['eur held'] ?? 0n;
    const done = await endOverdue(await openContext(api.deps));
    assert.ok(done.expired >= 1 && done.submitted >= 1, JSON.stringify(done));
    const state = async ({ number }: Json) =>
      (await client.get(`/api/exchanges/${number}`)).body.data.state;
    assert.deepEqual(
      [await state(bare), await state(proven), await state(waiting)],
      ['expired', 'payment_submitted', 'awaiting_payment'],
    );
    assert.equal((await balances(api))['eur held'], held - 9108n * BigInt(done.expired));
    const last = (await eventsOf(api, proven.number)).at(-1);
    assert.deepEqual([last?.action, last?.actor_kind], ['submit', 'system']);
    const none = { expired: 0, submitted: 0, unanswered: 0, failed: 0 };
    assert.deepEqual(await endOverdue(await openContext(api.deps)), none);
  });

  it('is handled for the others where one exchange cannot be ended', async () => {
    const { client } = await api.asMember();
    const [stuck, other] = [await create(client), await create(client)];
    await passPayBy(api, stuck.number);
    await passPayBy(api, other.number);
    await sql`
      create function refuse_one() returns trigger language plpgsql as $$
      begin raise exception 'stuck'; end $$`.execute(api.db);
    await sql`
      create trigger refuse_one before update on exchanges for each row
      when (old.number = ${sql.lit(stuck.number)}) execute function refuse_one()`.execute(api.db);
    const { endOverdue } = await import('./actions/end-unpaid.ts');
    const { openContext } = await import('./context.ts');
    assert.equal((await endOverdue(await openContext(api.deps))).failed, 1);
    const { body } = await client.get(`/api/exchanges/${other.number}`);
    assert.equal(body.data.state, 'expired');
    await sql`drop function refuse_one cascade`.execute(api.db);
    assert.equal((await endOverdue(await openContext(api.deps))).expired, 1, 'tried again');
  });

  it('is handled by a task every minute, with a record of its run', async () => {
    await api.scheduler.tick();
    const run = await api.db
      .selectFrom('task_runs')
      .selectAll()
      .where('task', '=', 'end-overdue-exchanges')
      .executeTakeFirstOrThrow();
    assert.deepEqual([run.outcome, run.detail], ['done', '0 expired, 0 submitted, 0 unanswered']);
  });
});
