import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import {
  balances, create, createBody, eventsOf, openDesk, passPayBy, quote, submit, submitted, upload,
} from '#test/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
await openDesk(admin);
await addCurrency(admin, 'gbp', { position: 3 });
const { client: member, user } = await api.asMember();
const { client: stranger } = await api.asMember();

async function open(client: typeof member, changes: object = {}, ask: object = {}) {
  const { token } = await quote(client);
  return client.post('/api/exchanges', { ...createBody(token), ...changes }, { key: true, ...ask });
}

async function cancelled(client: typeof member, { number, version }: Json) {
  const answer = await client.post(`/api/exchanges/${number}/cancellation`, { version }, { key: true });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

describe('POST /api/exchanges', () => {
  it('freezes the price, holds the payout and says where to pay', async () => {
    const answer = await open(member);
    assert.equal(answer.status, 201, answer.text);
    const { data } = answer.body;
    assert.match(data.number, /^CX-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    assert.deepEqual(
      [data.state, data.version, data.send_amount, data.receive_amount, data.rate],
      ['awaiting_payment', 1, '100.00', '91.08', '0.9108'],
    );
    assert.equal(data.transfer_reference, data.number);
    assert.equal(data.payee.label, 'Desk account');
    assert.deepEqual(data.payout_fields.map(({ label }: Json) => label), ['Account holder', 'IBAN']);
    assert.ok(data.payout_fields.every((line: Json) => Object.keys(line).join() === 'label,value'));
    assert.deepEqual(data.allowed, ['upload_proof', 'cancel']);
    const minutes = (Date.parse(data.pay_by) - Date.parse(data.created_at)) / MINUTE;
    assert.equal(minutes, 60);
    assert.deepEqual(data.timeline.map(({ action, by }: Json) => [action, by]), [['create', 'you']]);
    assert.deepEqual(await balances(api), {
      'eur adjustments': -100_000_000n, 'eur available': 99_990_892n, 'eur held': 9108n,
    });
    await cancelled(member, data);
    assert.deepEqual(await balances(api), { 'eur adjustments': -100_000_000n, 'eur available': 100_000_000n });
  });

  it('refuses a guest (401), a missing CSRF token (419) and a missing key (422)', async () => {
    const { token } = await quote(member);
    assert.equal((await api.client().post('/api/exchanges', createBody(token), { key: true })).status, 401);
    const bare = await member.post('/api/exchanges', createBody(token), { key: true, headers: { 'x-xsrf-token': 'no' } });
    assert.equal(bare.status, 419);
    const keyless = await member.post('/api/exchanges', createBody(token));
    assert.equal(keyless.status, 422);
    assert.deepEqual(Object.keys(keyless.body.errors), ['idempotency_key']);
  });

  it('names each answer that is wrong, and unaccepted terms (422)', async () => {
    const wrong = await open(member, { payout_fields: { holder: 'Alex Marlow', iban: 'DE00', extra: 'x' } });
    assert.equal(wrong.status, 422);
    assert.deepEqual(Object.keys(wrong.body.errors).toSorted(), ['payout_fields.extra', 'payout_fields.iban']);
    const unread = await open(member, { terms_accepted: false });
    assert.deepEqual(unread.body.errors, { terms_accepted: ['The terms must be accepted.'] });
    const unknown = await open(member, { state: 'completed', rate: '2' });
    assert.equal(unknown.status, 422, 'nobody names their own price');
  });

  it('refuses a quote that was used, has expired or was not ours (409)', async () => {
    const { token } = await quote(member);
    const first = await member.post('/api/exchanges', createBody(token), { key: true });
    const again = await member.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([first.status, again.status, again.body.code], [201, 409, 'quote_used']);
    await cancelled(member, first.body.data);

    const forged = await member.post('/api/exchanges', createBody(`${token}x`), { key: true });
    assert.deepEqual([forged.status, forged.body.code], [409, 'quote_invalid']);

    const { openWork } = await import('./exchanges.ts');
    const { quote: give } = await import('./quotes.ts');
    const past = await openWork(api.deps, async () => new Date(Date.now() - 16 * MINUTE));
    const old = await give(past, null, { pair: 'usd-to-eur', side: 'send', amount: '100' });
    const late = await member.post('/api/exchanges', createBody(old.token), { key: true });
    assert.deepEqual([late.status, late.body.code], [409, 'quote_expired']);
  });

  it('refuses a pair that was switched off since the quote (409)', async () => {
    await addPair(admin, 'gbp', 'eur');
    const { token } = await quote(member, '100', 'gbp-to-eur');
    const off = await admin.patch('/api/admin/pairs/gbp-to-eur', { version: 1, active: false });
    assert.equal(off.status, 200, off.text);
    const answer = await member.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([answer.status, answer.body.code], [409, 'pair_unavailable']);
  });

  it('keeps the price of the quote when the rate changes, and the limits of now', async () => {
    const { body } = await admin.get('/api/admin/pairs/usd-to-eur');
    const { token } = await quote(member, '100');
    const dear = await quote(member, '4000');
    const path = '/api/admin/pairs/usd-to-eur';
    const rated = await admin.put(`${path}/rate`, { version: body.data.version, mid_rate: '0.5' });
    const limited = await admin.patch(path, { version: rated.body.data.version, max_send: '3000' });
    const kept = await member.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(kept.body.data.receive_amount, '91.08');
    await cancelled(member, kept.body.data);
    const over = await member.post('/api/exchanges', createBody(dear.token), { key: true });
    assert.deepEqual([over.status, over.body.code], [409, 'limit_exceeded']);
    const back = await admin.put(`${path}/rate`, { version: limited.body.data.version, mid_rate: '0.92' });
    await admin.patch(path, { version: back.body.data.version, max_send: '5000' });
  });

  it("counts the day's and the month's amounts of one customer in a pair (409)", async () => {
    await addPair(admin, 'eur', 'usd', { day_max_send: '250', month_max_send: '300' });
    await stock(admin, 'usd', '10000');
    const { client } = await api.asMember();
    const first = await create(client, '200', 'eur-to-usd');
    const { token } = await quote(client, '60', 'eur-to-usd');
    const refused = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit_exceeded']);
    assert.match(refused.body.message, /250\.00 EUR in 24 hours .* 50\.00 EUR of it are left/);
    // Two days later the day is free again, and the month is not.
    await api.db.updateTable('exchanges').set({ created_at: new Date(Date.now() - 2 * 1440 * MINUTE) })
      .where('number', '=', first.number).execute();
    await create(client, '100', 'eur-to-usd');
    const over = await quote(client, '10', 'eur-to-usd');
    const monthly = await client.post('/api/exchanges', createBody(over.token), { key: true });
    assert.match(monthly.body.message, /300\.00 EUR in 30 days .* 0\.00 EUR of it are left/);
    await cancelled(client, first);
    assert.equal((await client.post('/api/exchanges', createBody(over.token), { key: true })).status, 201);
  });

  it('lets nobody have more than five open, also when creations race', async () => {
    const { client } = await api.asMember();
    const tokens = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => quote(client)));
    const answers = await Promise.all(
      tokens.map(({ token }) => client.post('/api/exchanges', createBody(token), { key: true })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.body.code, 'too_many_open');
  });

  it('refuses what the reserve does not cover, and leaves no trace of it (409)', async () => {
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '91.07');
    const { client } = await api.asMember();
    const { token } = await quote(client, '100', 'usd-to-gbp');
    const answer = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([answer.status, answer.body.code], [409, 'insufficient_reserve']);
    assert.equal((await client.get('/api/exchanges')).body.meta.total, 0);
  });
});

describe('GET /api/exchanges/{number}', () => {
  it('shows it to its owner alone', async () => {
    const { number } = await create(member);
    const own = await member.get(`/api/exchanges/${number}`);
    assert.equal(own.status, 200);
    assert.equal(own.body.data.number, number);
    assert.equal((await stranger.get(`/api/exchanges/${number}`)).status, 404);
    assert.equal((await admin.get(`/api/exchanges/${number}`)).status, 404, 'the desk has its own way');
    assert.equal((await api.client().get(`/api/exchanges/${number}`)).status, 401);
    for (const odd of ['CX-0000-0000', 'nonsense', '%2e%2e']) {
      assert.equal((await member.get(`/api/exchanges/${odd}`)).status, 404, odd);
    }
    await cancelled(member, own.body.data);
  });
});

describe('POST /api/exchanges/{number}/submission', () => {
  it('stops the clock once there is a proof, and can be taken back once', async () => {
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
    assert.deepEqual([undone.status, undone.body.data.state], [200, 'awaiting_payment'], undone.text);
    assert.equal(undone.body.data.pay_by, exchange.pay_by, 'the time to pay is not prolonged');
    const again = await submit(member, undone.body.data);
    assert.equal(again.undo_until, null);
    const twice = await member.delete(path, undefined, { key: true, query: { version: again.version } });
    assert.deepEqual([twice.status, twice.body.code], [409, 'undo_window_closed']);
    assert.deepEqual(
      (await eventsOf(api, exchange.number)).map(({ action }) => action),
      ['create', 'upload_proof', 'submit', 'undo', 'submit'],
    );
  });

  it('takes a reference where the pair allows it', async () => {
    const { body } = await admin.get('/api/admin/pairs/usd-to-eur');
    const path = '/api/admin/pairs/usd-to-eur';
    await admin.patch(path, { version: body.data.version, evidence: 'reference' });
    const { client } = await api.asMember();
    const { number, version } = await create(client);
    const url = `/api/exchanges/${number}/submission`;
    const without = await client.post(url, { version }, { key: true });
    assert.deepEqual([without.status, without.body.message], [409, 'Give the reference of your payment.']);
    const given = await client.post(url, { version, payment_reference: 'TX 42' }, { key: true });
    assert.deepEqual([given.status, given.body.data.payment_reference], [200, 'TX 42']);
    await admin.patch(path, { version: body.data.version + 1, evidence: 'proof' });
  });

  it('comes too late once the time to pay is over (409)', async () => {
    const { client } = await api.asMember();
    const exchange = await create(client);
    await upload(client, exchange.number);
    await passPayBy(api, exchange.number);
    const late = await client.post(`/api/exchanges/${exchange.number}/submission`, { version: 1 }, { key: true });
    assert.deepEqual([late.status, late.body.code], [409, 'payment_overdue']);
  });

  it("is nobody else's to make (404)", async () => {
    const { client } = await api.asMember();
    const { number } = await create(client);
    const answer = await stranger.post(`/api/exchanges/${number}/submission`, { version: 1 }, { key: true });
    assert.equal(answer.status, 404);
  });
});

describe('POST /api/exchanges/{number}/cancellation', () => {
  it('frees the reserve, once, and answers a repetition with the same', async () => {
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

  it('is refused once it was submitted (409)', async () => {
    const { client } = await api.asMember();
    const { number, version } = await submitted(client);
    const answer = await client.post(`/api/exchanges/${number}/cancellation`, { version }, { key: true });
    assert.deepEqual([answer.status, answer.body.code], [409, 'state_conflict']);
  });
});

describe('the end of the time to pay', () => {
  it('expires what has no proof and submits what has one', async () => {
    const { client } = await api.asMember();
    const [bare, proven, waiting] = [await create(client), await create(client), await create(client)];
    await upload(client, proven.number);
    await passPayBy(api, bare.number);
    await passPayBy(api, proven.number);
    const { endOverdue } = await import('./overdue.ts');
    const { openWork } = await import('./exchanges.ts');
    const held = (await balances(api))['eur held'] ?? 0n;
    const done = await endOverdue(await openWork(api.deps));
    assert.ok(done.expired >= 1 && done.submitted >= 1, JSON.stringify(done));
    const state = async ({ number }: Json) => (await client.get(`/api/exchanges/${number}`)).body.data.state;
    assert.deepEqual(
      [await state(bare), await state(proven), await state(waiting)],
      ['expired', 'payment_submitted', 'awaiting_payment'],
    );
    assert.equal((await balances(api))['eur held'], held - 9108n * BigInt(done.expired));
    const last = (await eventsOf(api, proven.number)).at(-1);
    assert.deepEqual([last?.action, last?.actor_kind], ['submit', 'system']);
    assert.deepEqual(await endOverdue(await openWork(api.deps)), { expired: 0, submitted: 0 });
  });

  it('is looked after by a task of every minute, which keeps its run', async () => {
    await api.scheduler.tick();
    const run = await api.db.selectFrom('task_runs').selectAll().where('task', '=', 'end-overdue-exchanges').executeTakeFirstOrThrow();
    assert.deepEqual([run.outcome, run.detail], ['done', '0 expired, 0 submitted']);
  });
});

describe('GET /api/exchanges', () => {
  it('pages, filters by state and day, and shows nobody else anything', async () => {
    const { client, user: person } = await api.asMember();
    const made = [await create(client), await create(client), await create(client)];
    await cancelled(client, made[0]);
    await api.db.updateTable('exchanges').set({ created_at: new Date('2026-01-31T23:59:59Z') })
      .where('number', '=', made[1].number).execute();

    const numbers = async (query: Record<string, string | number>) =>
      (await client.get('/api/exchanges', { query })).body.data.map(({ number }: Json) => number);
    assert.deepEqual(await numbers({}), [made[2].number, made[0].number, made[1].number]);
    assert.deepEqual(await numbers({ state: 'closed' }), [made[0].number]);
    assert.deepEqual(await numbers({ state: 'done' }), []);
    assert.deepEqual(await numbers({ from: '2026-01-31', to: '2026-01-31' }), [made[1].number]);
    assert.deepEqual(await numbers({ to: '2026-01-30' }), []);

    const page = (await client.get('/api/exchanges', { query: { page: 2, per_page: 2, state: 'open' } })).body;
    assert.deepEqual([page.data.length, page.meta.total, page.meta.last_page, page.links.next], [0, 2, 1, null]);
    const first = (await client.get('/api/exchanges', { query: { per_page: 2 } })).body;
    assert.match(first.links.next, /\/api\/exchanges\?page=2&per_page=2$/);
    assert.equal((await client.get('/api/exchanges', { query: { per_page: 101 } })).status, 422);
    assert.equal((await client.get('/api/exchanges', { query: { from: '2026-02-30' } })).status, 422);
    assert.notEqual(person.id, user.id);
  });
});

describe('GET /api/exchanges.csv', () => {
  it('is a spreadsheet of the same', async () => {
    const { client } = await api.asMember();
    const { number } = await create(client);
    const answer = await client.get('/api/exchanges.csv');
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['content-type']), /^text\/csv/);
    assert.match(String(answer.headers['content-disposition']), /attachment; filename="exchanges\.csv"/);
    const [head, line, end] = answer.text.split('\r\n');
    assert.ok(head?.startsWith('number,created_at,state,send_amount'));
    assert.ok(line?.startsWith(`${number},`) && line.includes(',awaiting_payment,100.00,USD,91.08,EUR,'));
    assert.equal(end, '');
    assert.equal((await client.get('/api/exchanges.csv', { query: { state: 'done' } })).text.split('\r\n').length, 2);
  });

  it('never lets a cell be a formula', async () => {
    const { csvLine } = await import('./csv.ts');
    assert.equal(csvLine(['=1+1', '+1', '-1', '@x', '\tx']), "'=1+1,'+1,'-1,'@x,'\tx\r\n");
    assert.equal(csvLine(['a,b', 'say "hi"', 'two\nlines']), '"a,b","say ""hi""","two\nlines"\r\n');
  });
});

describe('GET /api/public/latest-exchanges', () => {
  it('shows nothing before an approval, and only initials ever', async () => {
    const answer = await api.client().get('/api/public/latest-exchanges');
    assert.deepEqual([answer.status, answer.body], [200, { data: [] }]);
    const { initials } = await import('./history.ts');
    assert.deepEqual(
      ['Alex Marlow', 'Ana María de la Cruz', 'Cher', '  ', 'éva kovács-nagy', '李 雷'].map(initials),
      ['A. M.', 'A. C.', 'C.', '–', 'É. N.', '李. 雷.'],
    );
  });
});

