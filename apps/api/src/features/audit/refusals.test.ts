/** Which refusals stand in the audit log, and how rarely. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '#kernel/clock.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const ACTIONS = ['auth.admin_refused', 'auth.permission_refused', 'auth.csrf_refused'];
const WRONG_TOKEN = { headers: { 'x-xsrf-token': 'wrong' } };

const notedOf = (id: string) =>
  api.db
    .selectFrom('audit_events')
    .select(['action', 'data', 'ip'])
    .where('actor_id', '=', id)
    .where('action', 'in', ACTIONS)
    .orderBy('id')
    .execute();

/** What is noted once the answer has left comes a moment later. */
async function noted(id: string, count: number) {
  const deadline = Date.now() + 20_000;
  while ((await notedOf(id)).length < count && Date.now() < deadline) await sleep(20);
  // One too many would come now.
  await sleep(100);
  return (await notedOf(id)).map(({ action, data }) => [action, data]);
}

describe('the audit log', () => {
  it('notes a customer at the doors of the console, once in ten minutes', async () => {
    const { client, user } = await api.asMember();
    for (const path of ['/api/admin/users', '/api/admin/audit', '/api/admin/nowhere'])
      assert.equal((await client.get(path)).status, 403);
    const first = ['auth.admin_refused', { route: 'GET /api/admin/users' }];
    assert.deepEqual(await noted(user.id, 1), [first]);
    api.clock.advance(10 * MINUTE);
    const number = 'CX-0000-0000';
    const body = { version: 1 };
    assert.equal((await client.post(`/api/admin/exchanges/${number}/claim`, body)).status, 403);
    assert.deepEqual(await noted(user.id, 2), [
      first,
      ['auth.admin_refused', { route: 'POST /api/admin/exchanges/{number}/claim' }],
    ]);
  });

  it('notes an admin without the permission', async () => {
    const { client, user } = await api.asAdmin({ permissions: ['content'] });
    for (const path of ['/api/admin/users', '/api/admin/users', '/api/admin/mail'])
      assert.equal((await client.get(path)).status, 403);
    assert.deepEqual(await noted(user.id, 1), [
      ['auth.permission_refused', { route: 'GET /api/admin/users', permission: 'users' }],
    ]);
    assert.equal((await notedOf(user.id))[0]?.ip, '127.0.0.1');
  });

  it('notes a write without the token of a signed-in session, each kind for itself', async () => {
    const { client, user } = await api.asMember();
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await client.patch('/api/user', { locale: 'de' }, WRONG_TOKEN);
      assert.equal(answer.status, 419, answer.text);
    }
    // Notes of two requests may come in either order.
    await noted(user.id, 1);
    await client.get('/api/admin/users');
    assert.deepEqual(await noted(user.id, 2), [
      ['auth.csrf_refused', { route: 'PATCH /api/user' }],
      ['auth.admin_refused', { route: 'GET /api/admin/users' }],
    ]);
  });

  it('notes no guest, no other refusal, and nothing that is allowed', async () => {
    const before = await api.deps.sql`select from audit_events where action = any(${ACTIONS})`;
    const guest = api.client();
    await guest.get('/api/admin/users');
    await guest.patch('/api/user', { locale: 'de' }, WRONG_TOKEN);
    const { client, user } = await api.asMember();
    await client.get('/api/user');
    await client.get('/api/exchanges/CX-0000-0000');
    await client.patch('/api/user', { locale: 1 });
    assert.deepEqual(await noted(user.id, 0), []);
    const now = await api.deps.sql`select from audit_events where action = any(${ACTIONS})`;
    assert.equal(now.length, before.length);
  });

  it('answers all the same when nothing can be noted', async () => {
    const { client, user } = await api.asMember();
    await api.deps.sql`alter table audit_events add constraint no_more check (false) not valid`;
    assert.equal((await client.get('/api/admin/users')).status, 403);
    assert.deepEqual(await noted(user.id, 0), []);
    await api.deps.sql`alter table audit_events drop constraint no_more`;
  });
});
