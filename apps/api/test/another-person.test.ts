/** What a page was made for one person happens in nobody else's account. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer, Client } from './client.ts';
import { startTestApi } from './harness.ts';

const api = await startTestApi({ after });
const named = (id: string) => ({ headers: { 'x-signed-in-as': id } });
const codeOf = ({ status, body }: Answer) => [status, body?.code];
const ANOTHER = [409, 'signed_in_as_another'];

/** A browser in which Yolanda is signed in by now, and the pages of Xaver are still open. */
async function twoPeople() {
  const { user: xaver } = await api.asMember({ name: 'Xaver' });
  const { client, user: yolanda } = await api.asMember({ name: 'Yolanda' });
  return { client, xaver, yolanda };
}

async function nameOf(client: Client): Promise<string> {
  return (await client.get('/api/user')).body.name;
}

describe('a write that names the person its page was made for', () => {
  it('is refused in the session of another, and changes nothing', async () => {
    const { client, xaver } = await twoPeople();
    const rename = { name: 'Xaver Xander', locale: 'en' };
    const writes = [
      client.patch('/api/user', rename, named(xaver.id)),
      client.delete('/api/user', { email: xaver.email }, named(xaver.id)),
      client.delete('/api/user/sessions', undefined, named(xaver.id)),
      client.post('/api/auth/signout', undefined, named(xaver.id)),
      client.post('/api/exchanges', {}, named(xaver.id)),
      client.post(
        '/api/public/quotes',
        { pair: 'usd-to-eur', side: 'send', amount: '10' },
        named(xaver.id),
      ),
    ];
    for (const answer of await Promise.all(writes)) assert.deepEqual(codeOf(answer), ANOTHER);
    assert.equal(await nameOf(client), 'Yolanda');
  });

  it('is refused at the desk and for uploads too', async () => {
    const { client } = await api.asAdmin();
    const { user: other } = await api.asAdmin();
    const file = { bytes: Buffer.from('no picture'), name: 'a.png', type: 'image/png' };
    assert.deepEqual(
      codeOf(await client.upload('/api/admin/media', 'file', file, named(other.id))),
      ANOTHER,
    );
    const answer = await client.post('/api/admin/blogs', { title: 'A' }, named(other.id));
    assert.deepEqual(codeOf(answer), ANOTHER);
  });

  it('is done where that person is signed in, or none is named', async () => {
    const { client, yolanda } = await twoPeople();
    const locale = 'en';
    const own = await client.patch('/api/user', { name: 'Yola', locale }, named(yolanda.id));
    assert.equal(own.status, 200, own.text);
    assert.equal((await client.patch('/api/user', { name: 'Yol', locale })).status, 200);
    assert.equal(await nameOf(client), 'Yol');
  });

  it('is 401 where nobody is left, and never hinders a sign-in', async () => {
    const { user } = await api.asMember();
    const guest = api.client();
    assert.deepEqual(codeOf(await guest.patch('/api/user', {}, named(user.id))), [
      401,
      'unauthenticated',
    ]);
    const signIn = { email: user.email, password: 'not the one' };
    const answer = await guest.post('/api/auth/signin', signIn, named(user.id));
    assert.equal(answer.status, 422);
  });

  it('does not hinder reading', async () => {
    const { client, xaver } = await twoPeople();
    assert.equal((await client.get('/api/user', named(xaver.id))).status, 200);
  });
});

describe('the header that names them', () => {
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

describe('whoever deletes their account', () => {
  it('types its present address, or nothing happens', async () => {
    const { client, xaver, yolanda } = await twoPeople();
    const refused = await client.delete('/api/user', { email: xaver.email });
    assert.equal(refused.status, 422);
    assert.deepEqual(Object.keys(refused.body.errors), ['email']);
    assert.equal((await client.delete('/api/user')).status, 422);
    assert.equal(await nameOf(client), 'Yolanda');
    const typed = ` ${String(yolanda.email).toUpperCase()} `;
    assert.equal((await client.delete('/api/user', { email: typed })).status, 204);
    assert.equal((await client.get('/api/user')).status, 401);
  });
});
