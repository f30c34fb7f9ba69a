/** A write that names the user its page shows is refused in the session of another user. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from './client.ts';
import { startTestApi } from './harness.ts';

const api = await startTestApi({ after });
const named = (id: string) => ({ headers: { 'x-signed-in-as': id } });
const codeOf = ({ status, body }: Answer) => [status, body?.code];

describe('a write that names a user', () => {
  it('is refused in the session of another user, and changes nothing', async () => {
    const { user: other } = await api.asMember();
    const { client } = await api.asMember({ name: 'Yolanda' });
    const { client: admin } = await api.asAdmin();
    const file = { bytes: Buffer.from('no picture'), name: 'a.png', type: 'image/png' };
    const answers = await Promise.all([
      client.patch('/api/user', { name: 'Xaver', locale: 'en' }, named(other.id)),
      client.post('/api/auth/signout', undefined, named(other.id)),
      client.post('/api/exchanges', {}, named(other.id)),
      admin.upload('/api/admin/media', 'file', file, named(other.id)),
    ]);
    for (const answer of answers) assert.deepEqual(codeOf(answer), [409, 'signed_in_as_another']);
    assert.equal((await client.get('/api/user', named(other.id))).body.name, 'Yolanda');
  });

  it('succeeds in the session of that user, and is 401 without a session', async () => {
    const { client, user } = await api.asMember();
    const body = { name: 'Yola', locale: 'en' };
    assert.equal((await client.patch('/api/user', body, named(user.id))).status, 200);
    const guest = await api.client().patch('/api/user', body, named(user.id));
    assert.deepEqual(codeOf(guest), [401, 'unauthenticated']);
  });

  it('may be sent by the frontend from its own origin', async () => {
    const answer = await api.client().send('OPTIONS', '/api/user', undefined, {
      headers: {
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-signed-in-as,x-xsrf-token',
      },
    });
    assert.match(String(answer.headers['access-control-allow-headers']), /x-signed-in-as/i);
    assert.equal(answer.headers['access-control-max-age'], '7200');
  });
});
