import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY } from '#kernel/clock.ts';
import type { Client, Json } from '#test/client.ts';
import { setDesk } from '#test/desk.ts';
import {
  approve,
  cancel,
  claim,
  complete,
  create,
  createBody,
  deskPath,
  quote,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';
import { retentionTask } from '../retention.ts';

const { api, admin } = await startTestDesk({ after });
const { client: second } = await api.asAdmin({ name: 'Sam Field' });
const VIEWS = '/api/admin/exchange-views';
const customerPath = (id: string, rest = '') => `/api/admin/customers/${id}${rest}`;

async function createTo(client: Client, iban: string, amount = '100.00'): Promise<Json> {
  const { token } = await quote(client, amount);
  const payout_fields = { holder: 'Alex Marlow', iban };
  const body = { ...createBody(token), payout_fields };
  const answer = await client.post('/api/exchanges', body, { key: true });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

describe('the views of an operator', () => {
  it('are named, renamed and deleted by their operator alone, without the search', async () => {
    const filters = { queue: 'all', state: 'completed', from: '2026-11-01' };
    const body = { name: ' Done in November ', filters };
    const { status, body: made } = await admin.post(VIEWS, body);
    assert.deepEqual([status, made.data.name], [201, 'Done in November']);
    const twice = await admin.post(VIEWS, { name: 'DONE in november', filters });
    assert.deepEqual([twice.status, Object.keys(twice.body.errors)], [422, ['name']]);
    const searched = { name: 'Ana', filters: { search: 'ana@example.com' } };
    assert.equal((await admin.post(VIEWS, searched)).status, 422);
    const path = `${VIEWS}/${made.data.id}`;
    assert.equal((await second.patch(path, { name: 'Mine' })).status, 404);
    assert.equal((await second.delete(path)).status, 404);
    assert.deepEqual((await second.get(VIEWS)).body.data, []);
    assert.equal((await admin.patch(path, { name: 'November' })).body.data.name, 'November');
    const { id } = made.data;
    assert.deepEqual((await admin.get(VIEWS)).body.data, [{ id, name: 'November', filters }]);
    assert.equal((await admin.delete(path)).status, 204);
  });

  it('are twenty at most, whoever races', async () => {
    const { client } = await api.asAdmin();
    const add = (name: string) => client.post(VIEWS, { name, filters: {} });
    const answers = await Promise.all(Array.from({ length: 23 }, (_, at) => add(`View ${at}`)));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refused.map(({ body }) => body.code),
      Array.from({ length: 3 }, () => 'too_many_views'),
    );
    assert.equal((await client.get(VIEWS)).body.data.length, 20);
  });
});

describe('warnings', () => {
  const warningsOf = async ({ number }: Json) => {
    const { body } = await admin.get('/api/admin/exchanges', {
      query: { queue: 'all', search: number },
    });
    const detail = (await admin.get(deskPath(number))).body.data.warnings;
    assert.deepEqual(body.data[0].warnings, detail);
    return detail.filter((code: string) => code !== 'new_account' && code !== 'name_differs');
  };

  it('name a reference of another exchange, and an account of another customer', async () => {
    const [ana, kim] = [await api.asMember(), await api.asMember()];
    const one = await createTo(ana.client, 'GB29NWBK60161331926819');
    const again = await createTo(ana.client, 'GB29NWBK60161331926819');
    assert.deepEqual(await warningsOf(one), [], 'their own account is nothing to warn of');
    const other = await createTo(kim.client, 'GB29 NWBK 6016 1331 9268 19');
    assert.deepEqual(await warningsOf(one), ['account_shared']);
    assert.deepEqual(await warningsOf(other), ['account_shared']);
    await admin.post(
      deskPath(again.number, '/receipts'),
      { version: again.version, amount: '100.00', reference: 'Bank-17' },
      { key: true },
    );
    assert.deepEqual(await warningsOf(again), ['account_shared']);
    await api.db
      .updateTable('exchanges')
      .set({ payment_reference: 'BANK-17' })
      .where('number', '=', one.number)
      .execute();
    assert.deepEqual(await warningsOf(one), ['reference_used', 'account_shared']);
    assert.deepEqual(await warningsOf(again), ['reference_used', 'account_shared']);
  });

  it('begin at 80 % of a limit, while the exchange is open', async () => {
    await setDesk(admin, {
      reporting_unit: 'USD',
      customer_day_limit: '1000',
      customer_month_limit: '0',
    });
    const { client, user } = await api.asMember();
    const first = await create(client, '400.00');
    assert.deepEqual(await warningsOf(first), []);
    const next = await create(client, '400.00');
    assert.deepEqual(await warningsOf(first), ['limits_near']);
    const { limits } = (await admin.get(customerPath(user.id))).body.data;
    assert.deepEqual(limits, [
      { window: 'day', used: '800.00', limit: '1000.00', near: true },
      { window: 'month', used: '800.00', limit: null, near: false },
    ]);
    await cancel(client, next);
    assert.deepEqual(await warningsOf(next), [], 'nobody decides it any more');
    await setDesk(admin, { customer_day_limit: '0' });
  });
});

describe('a customer of the desk', () => {
  it('has volume, outcomes, accounts with their other users, sessions and exchanges', async () => {
    await setDesk(admin, { reporting_unit: 'USD' });
    const [ana, kim] = [
      await api.asMember({ name: 'Ana Cruz' }),
      await api.asMember({ name: 'Kim Osei' }),
    ];
    const iban = 'FR1420041010050500013M02606';
    const open = await createTo(ana.client, iban, '250.00');
    await createTo(kim.client, iban);
    await createTo(kim.client, iban);
    const done = await complete(
      admin,
      await approve(admin, await claim(admin, await submitted(ana.client))),
    );
    await cancel(ana.client, await create(ana.client, '70.00'));
    const { body, text } = await admin.get(customerPath(ana.user.id));
    const { data } = body;
    assert.deepEqual(
      [data.name, data.unit, data.completed_value, data.open_value],
      ['Ana Cruz', 'USD', '100.00', '250.00'],
    );
    assert.deepEqual(data.counts, [
      { state: 'awaiting_payment', count: 1 },
      { state: 'completed', count: 1 },
      { state: 'cancelled', count: 1 },
    ]);
    const shared = data.accounts.find(({ account }: Json) => account.includes(iban));
    assert.deepEqual(shared.others, [{ id: kim.user.id, name: 'Kim Osei', exchanges: 2 }]);
    assert.deepEqual([data.sessions.length, data.sessions[0].current], [1, false]);
    assert.ok(!/hash|token/.test(text));
    const list = (cursor = '') =>
      admin.get(customerPath(ana.user.id, '/exchanges'), {
        query: { per_page: 2, ...(cursor && { cursor }) },
      });
    const first = (await list()).body;
    const rest = (await list(first.meta.next_cursor)).body;
    assert.deepEqual([...first.data, ...rest.data].map(({ number }: Json) => number).slice(1), [
      done.number,
      open.number,
    ]);
    assert.equal(rest.meta.next_cursor, null);
    const { client: writer } = await api.asAdmin({ permissions: ['users'] });
    assert.equal((await writer.get(customerPath(ana.user.id))).status, 403);
    assert.equal((await ana.client.get(customerPath(ana.user.id))).status, 403);
    const unknown = kim.user.id.replace(/^.{8}/, '00000000');
    for (const part of ['', '/exchanges'])
      assert.equal((await admin.get(customerPath(unknown, part))).status, 404);
  });

  it('has notes that nobody changes, erased with the answers of their exchanges', async () => {
    const paid = await api.asMember();
    const idle = await api.asMember();
    const note = (id: string, text: string) =>
      second.post(customerPath(id, '/notes'), { text }, { key: true });
    assert.equal((await note(paid.user.id, 'zznote called')).status, 201);
    assert.equal((await note(paid.user.id, 'zznote once more')).status, 201);
    assert.equal((await note(idle.user.id, 'zznote idle')).status, 201);
    assert.equal((await note(paid.user.id, ' ')).status, 422);
    const { notes } = (await admin.get(customerPath(paid.user.id))).body.data;
    assert.deepEqual(
      notes.map(({ text, by }: Json) => [text, by]),
      [
        ['zznote once more', 'Sam Field'],
        ['zznote called', 'Sam Field'],
      ],
    );
    await assert.rejects(api.db.updateTable('customer_notes').set({ text: 'no' }).execute());
    await complete(admin, await approve(admin, await claim(admin, await submitted(paid.client))));
    for (const { client } of [paid, idle]) assert.equal((await client.leave()).status, 204);
    const left = () => api.db.selectFrom('customer_notes').select('text').orderBy('at').execute();
    assert.deepEqual(
      (await left()).map(({ text }) => text),
      ['zznote called', 'zznote once more'],
    );
    assert.equal((await note(paid.user.id, 'late')).status, 404);
    assert.equal((await admin.get(customerPath(paid.user.id))).body.data.notes.length, 2);
    await retentionTask(api.deps).run(new Date(Date.now() + 1828 * DAY), AbortSignal.any([]));
    assert.deepEqual(await left(), []);
  });
});
