/** The two cookies and the life of a session, by session-wire.md and decision 0005. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import type { Answer, Client } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const features = [auth, probe];
const api = await startTestApi({ after }, { features });
const SESSION = 'cambist_session';

function cookie(answer: Answer, name: string): string | undefined {
  const lines = answer.headers['set-cookie'];
  return Array.isArray(lines) ? lines.find((line) => line.startsWith(`${name}=`)) : undefined;
}

function hasBothCookies(answer: Answer): boolean {
  return cookie(answer, 'XSRF-TOKEN') !== undefined && cookie(answer, SESSION) !== undefined;
}

/** The same browser as it was before: a copy of its cookies. */
function copyOf(client: Client): Client {
  const copy = api.client();
  for (const [name, value] of client.jar) copy.jar.set(name, value);
  return copy;
}

describe('the cookies', () => {
  it('are set by the csrf-cookie route and its alias, from any page', async () => {
    for (const path of ['/stateful/csrf-cookie', '/sanctum/csrf-cookie']) {
      for (const origin of ['http://localhost:4000', 'http://evil.test', 'null']) {
        const answer = await api.client().get(path, { headers: { origin } });
        assert.equal(answer.status, 204);
        assert.equal(answer.text, '');
        const xsrf = cookie(answer, 'XSRF-TOKEN') ?? '';
        assert.match(
          xsrf,
          /^XSRF-TOKEN=[A-Za-z][A-Za-z0-9._-]*; Max-Age=604800; Path=\/; SameSite=Lax$/,
        );
        const session = cookie(answer, SESSION) ?? '';
        assert.match(session, /; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
      }
    }
  });

  it('keep a visitor who comes back, and sign nobody out', async () => {
    const { client } = await api.asMember();
    const before = new Map(client.jar);
    await client.get('/stateful/csrf-cookie', { headers: { referer: 'http://evil.test/' } });
    assert.deepEqual(client.jar, before);
    assert.equal((await client.get('/api/user')).status, 200);
  });

  it('come with every stateful answer to a read of a browser that lacks them: 200, 401, 403, 404', async () => {
    const { client: member } = await api.asMember();
    const { client: admin } = await api.asAdmin();
    for (const [status, ask] of [
      [200, () => member.get('/api/user')],
      [200, () => member.send('HEAD', '/api/user')],
      [401, () => api.client().get('/api/user')],
      [401, () => api.client().get('/api/admin/nothing')],
      [403, () => member.get('/api/admin/probe')],
      [404, () => admin.get('/api/admin/nothing')],
    ] as const) {
      for (const { jar } of [member, admin]) jar.set('XSRF-TOKEN', 'x');
      const answer = await ask();
      assert.equal(answer.status, status);
      assert.ok(hasBothCookies(answer), `${status} without cookies`);
    }
  });

  it('are not set by public routes or unknown paths', async () => {
    for (const path of ['/api/probe/public', '/api/nothing', '/health/live']) {
      assert.equal((await api.client().get(path)).headers['set-cookie'], undefined);
    }
  });

  it('are shared by the configured domain and carry the prefix that fits', async () => {
    const layouts = [
      [{ SESSION_DOMAIN: '.example.test' }, '__Secure-', 'Domain=.example.test; Secure; '],
      [{}, '__Host-', 'Secure; '],
      [{ SESSION_SECURE_COOKIE: 'false' }, '', ''],
    ] as const;
    for (const [env, prefix, attributes] of layouts) {
      const urls = {
        APP_URL: 'https://api.example.test',
        FRONTEND_URL: 'https://app.example.test',
      };
      const there = await startTestApi({ after }, { features, env: { ...urls, ...env } });
      const answer = await there.client().get('/stateful/csrf-cookie');
      const xsrf = cookie(answer, 'XSRF-TOKEN') ?? '';
      assert.ok(xsrf.endsWith(`; Max-Age=604800; Path=/; ${attributes}SameSite=Lax`), xsrf);
      const session = cookie(answer, `${prefix}${SESSION}`) ?? '';
      assert.ok(session.endsWith(`; Path=/; ${attributes}HttpOnly; SameSite=Lax`), session);
      assert.match(String(answer.headers['strict-transport-security']), /^max-age=31536000/);
    }
  });
});

describe('a session', () => {
  it('gets a new id and a new token at sign-in; the old ones are worth nothing', async () => {
    const client = api.client();
    const { email } = await client.signUp();
    await client.post('/api/auth/signout');
    await client.get('/stateful/csrf-cookie');
    const guest = copyOf(client);
    await client.signIn(email);
    for (const name of [SESSION, 'XSRF-TOKEN'])
      assert.notEqual(client.jar.get(name), guest.jar.get(name));

    const mixed = copyOf(client);
    mixed.jar.set('XSRF-TOKEN', guest.jar.get('XSRF-TOKEN') ?? '');
    assert.equal((await mixed.post('/api/probe/member', { text: 'a' })).status, 419);
    assert.equal((await guest.get('/api/user')).status, 401);
  });

  it('is dead at the next sign-in of the same browser', async () => {
    const { client, user } = await api.asMember();
    const old = copyOf(client);
    await client.signIn(user.email);
    assert.equal((await old.get('/api/user')).status, 401);
    assert.equal((await client.get('/api/user')).status, 200);
  });

  it('is dead after sign-out; the browser gets a fresh guest session', async () => {
    const { client } = await api.asMember();
    const old = copyOf(client);
    const answer = await client.post('/api/auth/signout');
    assert.equal(answer.status, 204);
    assert.ok(hasBothCookies(answer));
    assert.equal((await client.post('/api/probe/stateful', { text: 'a' })).status, 201);
    const replayed = copyOf(old);
    assert.equal((await old.get('/api/user')).status, 401);
    assert.equal((await replayed.post('/api/probe/member', { text: 'a' })).status, 419);
  });

  it('is stored only as the SHA-256 of its id', async () => {
    const { client } = await api.asMember();
    const id = client.jar.get(SESSION) ?? '';
    const row = await api.db
      .selectFrom('sessions')
      .selectAll()
      .where('id_hash', '=', createHash('sha256').update(id).digest())
      .executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(id));
  });

  it('costs a guest no row', async () => {
    const count = () =>
      api.db
        .selectFrom('sessions')
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirst();
    const before = await count();
    await api.client().get('/stateful/csrf-cookie');
    await api.client().get('/api/user');
    assert.deepEqual(await count(), before);
  });

  it('is not opened by an id that was forged, changed or made with another key', async () => {
    const { client } = await api.asMember();
    const id = client.jar.get(SESSION) ?? '';
    const other = await startTestApi(
      { after },
      { features, env: { APP_KEY: `base64:${Buffer.alloc(32, 9).toString('base64')}` } },
    );
    const foreign = other.client();
    await foreign.get('/stateful/csrf-cookie');
    for (const forged of [
      `m${id.slice(1)}x`,
      id.replace(/^m/, 'g'),
      id.slice(0, -1) + (id.endsWith('A') ? 'B' : 'A'),
      foreign.jar.get(SESSION) ?? '',
      'x'.repeat(5000),
      '',
    ]) {
      const thief = copyOf(client);
      thief.jar.set(SESSION, forged);
      assert.equal((await thief.get('/api/user')).status, 401);
    }
  });

  it('ends at once when its owner is disabled or demoted', async () => {
    const { client, user } = await api.asAdmin();
    assert.equal((await client.get('/api/admin/probe')).status, 200);
    const change = api.db.updateTable('users').where('id', '=', user.id);
    await change.set({ role: 'user' }).execute();
    assert.equal((await client.get('/api/admin/probe')).status, 403);
    await change.set({ disabled_at: new Date() }).execute();
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('is found among doubles of its cookie', async () => {
    const { client } = await api.asMember();
    const [id, token] = [client.jar.get(SESSION), client.jar.get('XSRF-TOKEN')];
    const doubled = `${SESSION}=old; XSRF-TOKEN=xold; ${SESSION}=${id}; XSRF-TOKEN=${token}`;
    const answer = await client.post(
      '/api/probe/member',
      { text: 'a' },
      { headers: { cookie: doubled, 'x-xsrf-token': token ?? '' } },
    );
    assert.equal(answer.status, 201);
  });
});
