import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { create, eventsOf, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin, operator } = await startTestDesk({ after });

const path = (number: string) => `/api/admin/exchanges/${number}/notes`;
const fresh = async () => (await api.asMember()).client;

describe('POST /api/admin/exchanges/{number}/notes', () => {
  it('is only in the desk’s timeline and does not change the version', async () => {
    const client = await fresh();
    const { number, version } = await create(client);
    const answer = await admin.post(path(number), { text: 'Called the customer.' }, { key: true });
    assert.equal(answer.status, 201, answer.text);
    const last = answer.body.data.timeline.at(-1);
    assert.deepEqual(
      [last.action, last.reason, last.actor],
      ['note', 'Called the customer.', operator.name],
    );
    assert.equal(answer.body.data.version, version);
    assert.ok(!(await client.get(`/api/exchanges/${number}`)).text.includes('Called'));
  });

  it('is written once per key, and answers 422 without one', async () => {
    const { number } = await create(await fresh());
    const note = (text: string, key?: string) =>
      admin.post(path(number), { text }, key === undefined ? {} : { key });
    const without = await note('Called again.');
    assert.equal(without.status, 422);
    assert.deepEqual(Object.keys(without.body.errors), ['idempotency_key']);
    const answers = await Promise.all([note('Called again.', 'n-1'), note('Called again.', 'n-1')]);
    const third = await note('Called again.', 'n-1');
    assert.deepEqual(
      [...answers, third].map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(third.headers['idempotency-replayed'], 'true');
    assert.equal((await note('Something else.', 'n-1')).status, 422);
    const events = await eventsOf(api, number);
    assert.equal(events.filter(({ action }) => action === 'note').length, 1);
  });
});
