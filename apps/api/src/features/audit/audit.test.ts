/** The audit log as admins read it, and what never stands in it, in a log line or in a letter. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openLog } from '#platform/log.ts';
import { PASSWORD, type Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { lettersTo, secretOf } from '#test/letters.ts';
import { answerForgotten } from '../auth/password-reset.ts';

const lines: string[] = [];
const log = openLog({ logLevel: 'debug' }, { write: (line: string) => void lines.push(line) });
const api = await startTestApi({ after }, { log });
const { client: admin } = await api.asAdmin();
const newEmail = () => `${randomUUID()}@example.com`;

describe('GET /api/admin/audit', () => {
  const read = (query: Record<string, string | number>) => admin.get('/api/admin/audit', { query });

  it('200: the newest first, by actor, action and subject, page by page', async () => {
    const { client, user } = await api.asMember({ name: 'Zoë Marlow' });
    await client.patch('/api/user', { locale: 'de' });
    const all = await read({ actor_id: user.id });
    assert.equal(all.status, 200, all.text);
    assert.deepEqual(
      all.body.data.map(({ action }: Json) => action),
      ['auth.profile_changed', 'auth.signup'],
    );
    const [event] = all.body.data;
    assert.deepEqual(
      [event.actor_kind, event.actor_name, event.ip, event.data],
      ['user', 'Zoë Marlow', '127.0.0.1', { changed: ['locale'] }],
    );
    assert.match(event.request_id, /./);
    const first = await read({ actor_id: user.id, per_page: 1 });
    const cursor = first.body.meta.next_cursor;
    const second = await read({ actor_id: user.id, per_page: 1, cursor });
    assert.equal(second.body.data[0].action, 'auth.signup');
    assert.equal(second.body.meta.next_cursor, null);

    const count = async (query: Record<string, string>) =>
      (await read({ actor_id: user.id, ...query })).body.data.length;
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(await count({ action: 'auth.' }), 2);
    assert.equal(await count({ action: 'auth.signup' }), 1);
    assert.equal(await count({ action: 'auth.sign' }), 0);
    assert.equal(await count({ subject_kind: 'user', subject_id: user.id }), 2);
    assert.equal(await count({ from: today, to: today }), 2);
    assert.equal(await count({ to: '2020-01-01' }), 0);
  });

  it('422: a cursor that is none; 401 and 403: for others', async () => {
    assert.equal((await read({ cursor: 'x' })).status, 422);
    const { client } = await api.asMember();
    const { client: clerk } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await api.client().get('/api/admin/audit')).status, 401);
    assert.equal((await client.get('/api/admin/audit')).status, 403);
    assert.equal((await clerk.get('/api/admin/audit')).body.code, 'permission_missing');
  });
});

describe('secrets', () => {
  it('stand in no log line, audit row, letter’s words or job', async () => {
    const canary = (what: string) => `canary-${what}-${randomUUID()}`;
    const passwords = { first: canary('first'), second: canary('second'), third: canary('third') };
    const wrong = canary('wrong');
    const [email, newAddress] = [newEmail(), newEmail()];
    const { client, user } = await api.asMember({
      email,
      password: passwords.first,
      verified: false,
    });
    const verification = await secretOf(api, email, 'verify-address');
    await client.post('/api/auth/verify-email', { token: verification });
    await client.post('/api/auth/verify-email', { token: canary('token') });
    await api.client().post('/api/auth/signin', { email, password: wrong });
    await api.client().post('/api/auth/signin', { email: wrong, password: wrong });
    await client.post('/api/user/confirmation', { password: wrong });
    await client.post('/api/user/confirmation', { password: passwords.first });
    await client.post('/api/user/confirmation', { code: 'canary-code' });
    await client.put('/api/user/password', {
      current_password: passwords.first,
      password: passwords.second,
    });
    await client.put('/api/user/email', { email: newAddress, current_password: passwords.second });
    const change = await secretOf(api, newAddress, 'verify-new-address');
    await client.post('/api/auth/verify-email', { token: change });
    await api.client().post('/api/auth/forgot-password', { email: newAddress });
    await answerForgotten(api.deps, { email: newAddress, ip: '::1', requestId: 'x' });
    const reset = await secretOf(api, newAddress, 'reset-password');
    const body = { token: reset, password: passwords.third };
    assert.equal((await api.client().post('/api/auth/reset-password', body)).status, 204);
    await api.client().post('/api/auth/reset-password', body);

    const audit = await api.db.selectFrom('audit_events').selectAll().execute();
    const letters = [...(await lettersTo(api, email)), ...(await lettersTo(api, newAddress))];
    const jobs = await api.deps.sql`select data, output from jobs.job_common`;
    assert.ok(audit.some(({ subject_id }) => subject_id === user.id));
    assert.ok(letters.length >= 6);
    assert.ok(lines.some((line) => line.includes('/api/auth/reset-password')));
    const written = {
      audit: JSON.stringify(audit),
      letters: JSON.stringify(letters.map(({ data, subject }) => ({ data, subject }))),
      jobs: JSON.stringify(jobs),
      log: lines.join(''),
    };
    const cookies = [...client.jar.values()];
    const secrets = ['canary', PASSWORD, verification, change, reset, ...cookies];
    for (const [where, text] of Object.entries(written)) {
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${where}`);
    }
    for (const mail of [email, newAddress]) {
      assert.ok(!written.audit.includes(mail), 'No address is kept in the log.');
    }
  });
});
