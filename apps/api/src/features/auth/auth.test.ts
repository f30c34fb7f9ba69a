import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { audit } from '../audit/routes.ts';
import { auth } from './routes.ts';

const features = [audit, auth];
const api = await startTestApi({ after }, { features });
const WRONG = {
  message: 'These credentials do not match our records.',
  code: 'validation_failed',
  errors: { email: ['These credentials do not match our records.'] },
};

const newEmail = () => `${randomUUID()}@example.com`;
const account = (email: string) => ({
  name: 'Alex Marlow',
  email,
  password: PASSWORD,
  terms_accepted: true,
});

async function auditOf(userId: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('audit_events')
    .select('action')
    .where('actor_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

describe('POST /api/auth/signup', () => {
  it('201: opens an account and signs its owner in', async () => {
    const client = api.client();
    const email = newEmail();
    const answer = await client.post('/api/auth/signup', {
      ...account(email.toUpperCase()),
      name: '  Zoë Müller ',
      password_confirmation: PASSWORD,
      locale: 'de',
    });
    assert.equal(answer.status, 201);
    const { id, created_at: createdAt, ...user } = answer.body.data;
    assert.deepEqual(user, {
      name: 'Zoë Müller',
      email,
      email_verified_at: null,
      role: 'user',
      permissions: [],
      locale: 'de',
      two_factor_enabled: false,
      two_factor_missing: false,
      desk_notices: false,
      desk_digest: 'off',
      pending_email: null,
      has_password: true,
    });
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal((await client.get('/api/user')).body.id, id);
    assert.deepEqual(await auditOf(id), ['auth.signup']);
    const row = await api.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.match(row.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.ok(row.terms_accepted_at);
  });

  it('422: names every field that is missing', async () => {
    const answer = await api.client().post('/api/auth/signup', {});
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body, {
      message: 'The name field is required. (and 3 more errors)',
      code: 'validation_failed',
      errors: {
        name: ['The name field is required.'],
        email: ['The email field is required.'],
        password: ['The password field is required.'],
        terms_accepted: ['The terms accepted field is required.'],
      },
    });
  });

  for (const [what, change, errors] of [
    ['an empty name', { name: ' ' }, { name: ['The name field is required.'] }],
    [
      'a name with invisible characters',
      { name: 'Alex\u202emolraM' },
      { name: ['The name field contains characters that cannot be seen.'] },
    ],
    [
      'an address that is none',
      { email: 'alex' },
      { email: ['The email must be a valid email address.'] },
    ],
    [
      'an address with a line break',
      { email: 'a@b.test\r\nBcc: c@d.test' },
      { email: ['The email must be a valid email address.'] },
    ],
    [
      'a short password',
      { password: 'seven77' },
      { password: ['The password must be at least 8 characters.'] },
    ],
    [
      'an endless password',
      { password: 'x'.repeat(201) },
      { password: ['The password must not be greater than 200 characters.'] },
    ],
    [
      'another confirmation',
      { password_confirmation: 'other' },
      { password: ['The password confirmation does not match.'] },
    ],
    [
      'terms not accepted',
      { terms_accepted: false },
      { terms_accepted: ['The terms must be accepted.'] },
    ],
    ['a name that is a number', { name: 7 }, { name: ['The name must be a string.'] }],
    ['a role', { role: 'admin' }, { role: ['The role field is prohibited.'] }],
  ] as const) {
    it(`422: refuses ${what}`, async () => {
      const body = { ...account(newEmail()), ...change };
      const answer = await api.client().post('/api/auth/signup', body);
      assert.equal(answer.status, 422);
      assert.deepEqual(answer.body.errors, errors);
    });
  }

  it('422: refuses a taken address, also in concurrent requests', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.client().post('/api/auth/signup', account(email))),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, 422, 422, 422]);
    const refused = await api.client().post('/api/auth/signup', account(email.toUpperCase()));
    assert.deepEqual(refused.body.errors, { email: ['The email has already been taken.'] });
  });
});

describe('POST /api/auth/signin', () => {
  it('200: signs in, whatever the case of the address', async () => {
    const { user } = await api.asMember();
    const client = api.client();
    const answer = await client.post('/api/auth/signin', {
      email: user.email.toUpperCase(),
      password: PASSWORD,
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { data: user });
    assert.equal((await client.get('/api/user')).status, 200);
    assert.deepEqual(await auditOf(user.id), ['auth.signup', 'auth.signin']);
  });

  it('422: answers the same for unknown, wrong, disabled and without password', async () => {
    const { user } = await api.asMember();
    const { user: disabled } = await api.asMember();
    const { user: without } = await api.asMember();
    const change = (id: string) => api.db.updateTable('users').where('id', '=', id);
    await change(disabled.id).set({ disabled_at: new Date() }).execute();
    await change(without.id).set({ password_hash: null }).execute();
    for (const [email, password] of [
      [newEmail(), PASSWORD],
      [user.email, `${PASSWORD} `],
      [user.email, PASSWORD.toUpperCase()],
      [disabled.email, PASSWORD],
      [without.email, PASSWORD],
      ['no address at all', PASSWORD],
    ]) {
      const answer = await api.client().post('/api/auth/signin', { email, password });
      assert.equal(answer.status, 422);
      assert.deepEqual(answer.body, WRONG);
    }
  });

  it('422: asks for both fields', async () => {
    const answer = await api.client().post('/api/auth/signin', { email: '', password: null });
    assert.deepEqual(answer.body.errors, {
      email: ['The email field is required.'],
      password: ['The password field is required.'],
    });
  });

  it('429: slows guessing from one network, and locks out no other', async () => {
    const env = { THROTTLE_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' };
    const there = await startTestApi({ after }, { features, env });
    there.clock.set(new Date());
    const { client: owner, user } = await there.asMember();
    const from = (ip: string, password: string, client = there.client()) =>
      client.post(
        '/api/auth/signin',
        { email: user.email, password },
        { headers: { 'x-forwarded-for': ip } },
      );
    for (let count = 0; count < 5; count += 1)
      assert.equal((await from('203.0.113.1', 'wrong')).status, 422);
    const refused = await from('203.0.113.1', PASSWORD);
    assert.equal(refused.status, 429);
    assert.equal(refused.body.message, 'Too Many Attempts.');
    assert.equal(refused.headers['retry-after'], '60');
    assert.equal((await from('203.0.113.2', PASSWORD)).status, 200);

    // From ever more networks: the account counts as attacked, and its owner's browser still gets in.
    for (let network = 10; network < 60; network += 1) await from(`198.51.100.${network}`, 'wrong');
    assert.equal((await from('203.0.113.3', 'wrong')).status, 422);
    assert.equal((await from('203.0.113.3', PASSWORD, owner)).status, 200);
    assert.equal((await from('203.0.113.4', 'wrong')).status, 422);
    assert.equal((await from('203.0.113.4', 'wrong')).status, 422);
    assert.equal((await from('203.0.113.4', PASSWORD)).status, 429);
    there.clock.advance(MINUTE);
    assert.equal((await from('203.0.113.1', PASSWORD, owner)).status, 200);
  });

  it('429: counts concurrent guesses', async () => {
    const there = await startTestApi({ after }, { features, env: { THROTTLE_SCALE: '1' } });
    there.clock.set(new Date());
    const { user } = await there.asMember();
    const browsers = Array.from({ length: 12 }, () => there.client());
    for (const browser of browsers) await browser.get('/stateful/csrf-cookie');
    const answers = await Promise.all(
      browsers.map((browser) =>
        browser.post('/api/auth/signin', { email: user.email, password: 'wrong' }),
      ),
    );
    const counted = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([counted.get(422)?.length, counted.get(429)?.length], [5, 7]);
  });

  it('stores neither passwords nor typed addresses in the audit log', async () => {
    const canary = `canary-${randomUUID()}`;
    await api
      .client()
      .post('/api/auth/signin', { email: `${canary}@example.com`, password: canary });
    await api.client().post('/api/auth/signin', { email: canary, password: canary });
    const rows = await api.db.selectFrom('audit_events').selectAll().execute();
    assert.ok(rows.some(({ action }) => action === 'auth.signin_failed'));
    assert.ok(!JSON.stringify(rows).includes(canary));
  });
});

describe('POST /api/auth/signout', () => {
  it('204: also for a guest', async () => {
    const { client, user } = await api.asMember();
    assert.equal((await client.post('/api/auth/signout', {})).status, 204);
    assert.equal((await client.post('/api/auth/signout')).status, 204);
    assert.deepEqual(await auditOf(user.id), ['auth.signup', 'auth.signout']);
  });
});

describe('GET /api/user', () => {
  it('200: returns the user at the top level, with only the fields of the contract', async () => {
    const { client, user } = await api.asMember();
    const answer = await client.get('/api/user');
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, user);
    assert.doesNotMatch(answer.text, /hash|argon|disabled|terms/);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('401: without a session', async () => {
    const answer = await api.client().get('/api/user');
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.body, { message: 'Unauthenticated.', code: 'unauthenticated' });
  });
});

describe('the audit log', () => {
  it('cannot be changed, deleted from or emptied', async () => {
    await api.asMember();
    await assert.rejects(
      api.db.updateTable('audit_events').set({ action: 'x' }).execute(),
      /append-only/,
    );
    await assert.rejects(api.db.deleteFrom('audit_events').execute(), /append-only/);
    await assert.rejects(api.deps.sql`truncate audit_events`, /append-only/);
  });
});
