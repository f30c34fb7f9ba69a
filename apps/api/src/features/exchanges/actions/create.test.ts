import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import {
  balances,
  cancel,
  create,
  createBody,
  quote,
  startTestDesk,
} from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
await addCurrency(admin, 'gbp', { position: 3 });
const { client: member } = await api.asMember();

async function open(client: typeof member, changes: object = {}, ask: object = {}) {
  const { token } = await quote(client);
  return client.post('/api/exchanges', { ...createBody(token), ...changes }, { key: true, ...ask });
}

describe('POST /api/exchanges', () => {
  it('answers 403 without a confirmed address, and works with the same key once there is one', async () => {
    const { client, user } = await api.asMember({ verified: false });
    const { token } = await quote(client);
    const key = crypto.randomUUID();
    const ask = () => client.post('/api/exchanges', createBody(token), { key });
    const refused = await ask();
    assert.equal(refused.status, 403);
    assert.equal(refused.body.code, 'email_unverified');
    assert.match(refused.body.message, /^Confirm your email address first/);
    const row = api.db.updateTable('users').where('id', '=', user.id);
    await row.set({ email_verified_at: new Date() }).execute();
    const made = await ask();
    assert.equal(made.status, 201, made.text);
    await cancel(client, made.body.data);
  });

  it('answers 503 during maintenance, except to admins and for existing exchanges', async () => {
    const setting = '/api/admin/settings/general';
    const close = async (enabled: boolean) => {
      const { version, value } = (await admin.get(setting)).body.data;
      const maintenance = { ...value.maintenance, enabled };
      const answer = await admin.put(setting, { version, value: { ...value, maintenance } });
      assert.equal(answer.status, 200, answer.text);
    };
    const before = await open(member);
    const key = crypto.randomUUID();
    const { token } = await quote(member);
    const ask = () => member.post('/api/exchanges', createBody(token), { key });
    await close(true);
    const refused = await ask();
    assert.deepEqual([refused.status, refused.body.code], [503, 'site_closed']);
    await cancel(member, before.body.data);
    const tried = await open(admin);
    assert.equal(tried.status, 201, tried.text);
    await cancel(admin, tried.body.data);
    await close(false);
    const made = await ask();
    assert.equal(made.status, 201, made.text);
    await cancel(member, made.body.data);
  });

  it('freezes the price, holds the payout and has the account to pay to', async () => {
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
    assert.deepEqual(
      data.payout_fields.map(({ label }: Json) => label),
      ['Account holder', 'IBAN'],
    );
    assert.ok(data.payout_fields.every((line: Json) => Object.keys(line).join() === 'label,value'));
    assert.deepEqual(data.allowed, ['upload_proof', 'cancel', 'change_payout']);
    const minutes = (Date.parse(data.pay_by) - Date.parse(data.created_at)) / MINUTE;
    assert.equal(minutes, 60);
    assert.deepEqual(
      data.timeline.map(({ action, by }: Json) => [action, by]),
      [['create', 'you']],
    );
    assert.deepEqual(await balances(api), {
      'eur adjustments': -100_000_000n,
      'eur available': 99_990_892n,
      'eur held': 9108n,
    });
    await cancel(member, data);
    assert.deepEqual(await balances(api), {
      'eur adjustments': -100_000_000n,
      'eur available': 100_000_000n,
    });
  });

  it('uses another number where the first is taken', async (t) => {
    const taken = (await open(member)).body.data;
    const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    const asBefore = [...taken.number.slice(3).replace('-', '')].map((one) => letters.indexOf(one));
    const other = [...asBefore.slice(1), 7];
    const drawn = [...asBefore, ...asBefore, ...other];
    t.mock.method(crypto, 'randomInt', () => drawn.shift());
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    const answer = await open(member);
    assert.equal(answer.status, 201, answer.text);
    const { data } = answer.body;
    const expected = other.map((index) => letters[index]).join('');
    assert.equal(data.number.replaceAll('-', ''), `CX${expected}`);
    assert.equal(data.transfer_reference, data.number);
    await cancel(member, taken);
    await cancel(member, data);
  });

  it('refuses a guest (401), a missing CSRF token (419) and a missing key (422)', async () => {
    const { token } = await quote(member);
    assert.equal(
      (await api.client().post('/api/exchanges', createBody(token), { key: true })).status,
      401,
    );
    const bare = await member.post('/api/exchanges', createBody(token), {
      key: true,
      headers: { 'x-xsrf-token': 'no' },
    });
    assert.equal(bare.status, 419);
    const keyless = await member.post('/api/exchanges', createBody(token));
    assert.equal(keyless.status, 422);
    assert.deepEqual(Object.keys(keyless.body.errors), ['idempotency_key']);
  });

  it('answers 422 for each invalid field and for unaccepted terms', async () => {
    const wrong = await open(member, {
      payout_fields: { holder: 'Alex Marlow', iban: 'DE00', extra: 'x' },
    });
    assert.equal(wrong.status, 422);
    assert.deepEqual(Object.keys(wrong.body.errors).toSorted(), [
      'payout_fields.extra',
      'payout_fields.iban',
    ]);
    const unread = await open(member, { terms_accepted: false });
    assert.deepEqual(unread.body.errors, { terms_accepted: ['The terms must be accepted.'] });
    const unknown = await open(member, { state: 'completed', rate: '2' });
    assert.equal(unknown.status, 422, 'a request cannot set its own price');
  });

  it('answers 409 for a quote that was used, has expired or is forged', async () => {
    const { token } = await quote(member);
    const first = await member.post('/api/exchanges', createBody(token), { key: true });
    const again = await member.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([first.status, again.status, again.body.code], [201, 409, 'quote_used']);
    await cancel(member, first.body.data);

    const forged = await member.post('/api/exchanges', createBody(`${token}x`), { key: true });
    assert.deepEqual([forged.status, forged.body.code], [409, 'quote_invalid']);

    const { openContext } = await import('../context.ts');
    const { quote: give } = await import('../quotes/quotes.ts');
    const past = await openContext(api.deps, async () => new Date(Date.now() - 16 * MINUTE));
    const old = await give(past, null, { pair: 'usd-to-eur', side: 'send', amount: '100' });
    const late = await member.post('/api/exchanges', createBody(old.token), { key: true });
    assert.deepEqual([late.status, late.body.code], [409, 'quote_expired']);
  });

  it('answers 409 for a pair that was switched off after the quote', async () => {
    await addPair(admin, 'gbp', 'eur');
    const { token } = await quote(member, '100', 'gbp-to-eur');
    const off = await admin.patch('/api/admin/pairs/gbp-to-eur', { version: 1, active: false });
    assert.equal(off.status, 200, off.text);
    const answer = await member.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([answer.status, answer.body.code], [409, 'pair_unavailable']);
  });

  it('uses the price of the quote after a change of the rate, and the current limits', async () => {
    const { body } = await admin.get('/api/admin/pairs/usd-to-eur');
    const { token } = await quote(member, '100');
    const dear = await quote(member, '4000');
    const path = '/api/admin/pairs/usd-to-eur';
    const rate = { version: body.data.version, mid_rate: '0.5', confirm_rate: '0.4950' };
    const rated = await admin.put(`${path}/rate`, rate);
    const limited = await admin.patch(path, { version: rated.body.data.version, max_send: '3000' });
    const created = await member.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(created.body.data.receive_amount, '91.08');
    await cancel(member, created.body.data);
    const over = await member.post('/api/exchanges', createBody(dear.token), { key: true });
    assert.deepEqual([over.status, over.body.code], [409, 'limit_exceeded']);
    const back = await admin.put(`${path}/rate`, {
      version: limited.body.data.version,
      mid_rate: '0.92',
      confirm_rate: '0.9108',
    });
    await admin.patch(path, { version: back.body.data.version, max_send: '5000' });
  });

  it('answers 409 above a customer’s limit per day or month', async () => {
    await addPair(admin, 'eur', 'usd', { day_max_send: '250', month_max_send: '300' });
    await stock(admin, 'usd', '10000');
    const { client } = await api.asMember();
    const first = await create(client, '200', 'eur-to-usd');
    // A guest's quote, which could not be checked against the customer's volume.
    const guest = api.client();
    const { token } = await quote(guest, '60', 'eur-to-usd');
    const refused = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit_exceeded']);
    assert.match(refused.body.message, /250\.00 EUR in 24 hours .* 50\.00 EUR of it are left/);
    // Two days later only the monthly limit applies.
    await api.db
      .updateTable('exchanges')
      .set({ created_at: new Date(Date.now() - 2 * 1440 * MINUTE) })
      .where('number', '=', first.number)
      .execute();
    await create(client, '100', 'eur-to-usd');
    const over = await quote(guest, '10', 'eur-to-usd');
    const monthly = await client.post('/api/exchanges', createBody(over.token), { key: true });
    assert.match(monthly.body.message, /300\.00 EUR in 30 days .* 0\.00 EUR of it are left/);
    await cancel(client, first);
    assert.equal(
      (await client.post('/api/exchanges', createBody(over.token), { key: true })).status,
      201,
    );
  });

  it('allows five open exchanges, also for concurrent requests', async () => {
    const { client } = await api.asMember();
    const tokens = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => quote(client)));
    const answers = await Promise.all(
      tokens.map(({ token }) => client.post('/api/exchanges', createBody(token), { key: true })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [201, 201, 201, 201, 201, 409, 409, 409],
    );
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.body.code, 'too_many_open');
  });

  it('answers 409 above the reserve and writes nothing', async () => {
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '1000');
    const { client } = await api.asMember();
    const { token } = await quote(client, '100', 'usd-to-gbp');
    await stock(admin, 'gbp', '908.93', 'out');
    const answer = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.deepEqual([answer.status, answer.body.code], [409, 'insufficient_reserve']);
    assert.equal((await client.get('/api/exchanges')).body.meta.total, 0);
  });
});
