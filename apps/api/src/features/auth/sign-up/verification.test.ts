/** Verification of addresses. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { audit } from '#features/audit/routes.ts';
import { auth } from '../routes.ts';

const api = await startTestApi({ after }, { features: [audit, auth] });
const kinds = async (email: string) => (await emailsTo(api, email)).map(({ kind }) => kind);

describe('POST /api/auth/verify-email', () => {
  it('200: verifies an address in any signed-in browser, also twice', async () => {
    const { client, user } = await api.asMember({ verified: false });
    assert.equal(user.email_verified_at, null);
    const token = await secretOf(api, user.email, 'verify-address');
    const telephone = api.client();
    await telephone.signIn(user.email);
    for (const browser of [telephone, client]) {
      const answer = await browser.post('/api/auth/verify-email', { token });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, { data: { email: user.email, next: null } });
    }
    assert.notEqual((await client.get('/api/user')).body.email_verified_at, null);
  });

  it('401, 409: refuses guests and other accounts', async () => {
    const { client, user } = await api.asMember({ verified: false });
    const token = await secretOf(api, user.email, 'verify-address');
    const guest = await api.client().post('/api/auth/verify-email', { token });
    assert.deepEqual([guest.status, guest.body.code], [401, 'unauthenticated']);
    const { client: other } = await api.asMember();
    const answer = await other.post('/api/auth/verify-email', { token });
    assert.deepEqual([answer.status, answer.body.code], [409, 'other_account']);
    assert.equal((await client.get('/api/user')).body.email_verified_at, null);
  });

  it('409: refuses a changed, truncated or foreign token', async () => {
    const { client, user } = await api.asMember({ verified: false });
    const token = await secretOf(api, user.email, 'verify-address');
    const sealed = Buffer.from(token, 'base64url');
    const changed = Buffer.from(sealed);
    changed[40] = (changed[40] ?? 0) ^ 1;
    const link = { user: user.id, email: user.email, expiresAt: Date.now() + DAY, next: null };
    const plain = Buffer.from(JSON.stringify(link));
    for (const wrong of [
      'x',
      `${token}=`,
      `${token}.`,
      token.slice(0, -4),
      changed.toString('base64url'),
      sealed.subarray(0, 20).toString('base64url'),
      plain.toString('base64url'),
      api.deps.keys.seal('session id', plain.toString(), '').toString('base64url'),
    ]) {
      const answer = await client.post('/api/auth/verify-email', { token: wrong });
      assert.equal(answer.status, 409, wrong);
      assert.equal(answer.body.code, 'link_invalid');
    }
    assert.equal((await client.post('/api/auth/verify-email', { token })).status, 200);
  });

  it('409: refuses an expired link', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { user } = await there.asMember({ verified: false });
    const token = await secretOf(there, user.email, 'verify-address');
    there.clock.advance(DAY);
    const answer = await there.client().post('/api/auth/verify-email', { token });
    assert.equal(answer.body.code, 'link_expired');
  });

  it('422: needs a token', async () => {
    assert.equal((await api.client().post('/api/auth/verify-email', {})).status, 422);
  });
});

describe('POST /api/auth/verify-email/check', () => {
  const check = (token: string, client = api.client()) =>
    client.post('/api/auth/verify-email/check', { token });

  it('200: shows a first verification to any holder of the link, without verifying', async () => {
    const { client, user } = await api.asMember({ verified: false });
    const { email } = user;
    const token = await secretOf(api, email, 'verify-address');
    const { client: other } = await api.asMember();
    const waiting = { email, act: 'first', done: false, next: null };
    for (const [browser, own] of [
      [api.client(), false],
      [other, false],
      [client, true],
    ] as const) {
      const answer = await check(token, browser);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.data, { ...waiting, own });
    }
    assert.equal((await client.get('/api/user')).body.email_verified_at, null);
    await client.post('/api/auth/verify-email', { token });
    assert.deepEqual((await check(token)).body.data, { ...waiting, done: true, own: false });
  });

  it('200: shows a change; 409: after it was cancelled', async () => {
    const { client, user } = await api.asMember();
    const change = (email: string) =>
      client.put('/api/user/email', { email, current_password: PASSWORD });
    const email = `new-${user.email}`;
    await change(email);
    const token = await secretOf(api, email, 'verify-new-address');
    const waiting = { email, act: 'change', done: false, own: true, next: null };
    assert.deepEqual((await check(token, client)).body.data, waiting);
    await change(user.email);
    assert.equal((await check(token, client)).body.code, 'link_invalid');
  });

  it('409: refuses damaged and expired links, also for guests', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { user } = await there.asMember({ verified: false });
    const token = await secretOf(there, user.email, 'verify-address');
    const ask = (given: string) => check(given, there.client());
    for (const wrong of ['x', token.slice(0, -1), `${token}x`]) {
      const answer = await ask(wrong);
      assert.deepEqual([answer.status, answer.body.code], [409, 'link_invalid']);
    }
    there.clock.advance(DAY);
    const late = await ask(token);
    assert.deepEqual([late.status, late.body.code], [409, 'link_expired']);
  });
});

describe('the next path of a verification', () => {
  const NEXT = '/preview?pair=usd-eur&side=send&amount=120.50';

  /** A new account that was opened on the way to `next`. */
  async function opened(next: string, there = api) {
    const client = there.client();
    const email = `${randomUUID()}@example.com`;
    const body = { name: 'Ida Holm', email, password: PASSWORD, terms_accepted: true, next };
    const answer = await client.post('/api/auth/signup', body);
    assert.equal(answer.status, 201, answer.text);
    return { client, email, token: await secretOf(there, email, 'verify-address') };
  }

  it('is in the link, also for another browser', async () => {
    const { email, token } = await opened(NEXT);
    const telephone = api.client();
    await telephone.signIn(email);
    const sight = await telephone.post('/api/auth/verify-email/check', { token });
    assert.equal(sight.body.data.next, NEXT);
    const answer = await telephone.post('/api/auth/verify-email', { token });
    assert.deepEqual(answer.body, { data: { email, next: NEXT } });
  });

  it('cannot be read in the email or its link', async () => {
    const { email } = await opened('/preview?pair=call-0800-thieves&side=send&amount=1');
    const [message] = await emailsTo(api, email);
    assert.doesNotMatch(JSON.stringify(message), /thieves/);
    const token = await secretOf(api, email, 'verify-address');
    const readings = [token, ...token.split('.')].map((part) =>
      Buffer.from(part, 'base64url').toString('latin1'),
    );
    for (const text of [token, ...readings]) {
      assert.doesNotMatch(text, /thieves|preview/);
      assert.ok(!text.includes(email));
    }
  });

  it('is stored only if it is a short path of the frontend', async () => {
    const longest = `/${'a'.repeat(299)}`;
    for (const [next, stored] of [
      ['//evil.test/preview', null],
      ['https://evil.test/', null],
      ['/\\evil.test', null],
      [`${longest}a`, null],
      [longest, longest],
    ] as const) {
      const { client, token } = await opened(next);
      const answer = await client.post('/api/auth/verify-email', { token });
      assert.equal(answer.body.data.next, stored, next);
    }
  });

  it('is stored for emails that are sent again, until the address is verified', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client, email } = await opened(NEXT, there);
    const nextNow = async () => {
      const token = await secretOf(there, email, 'verify-address');
      return (await client.post('/api/auth/verify-email/check', { token })).body.data.next;
    };
    const again = async (query: { next?: string }) => {
      there.clock.advance(MINUTE);
      const path = '/api/auth/email/verification-notification';
      assert.equal((await client.post(path, undefined, { query })).status, 202);
    };
    await again({});
    assert.equal(await nextNow(), NEXT);
    there.clock.advance(2 * DAY);
    client.jar.clear();
    await client.signIn(email);
    await again({});
    assert.equal(await nextNow(), NEXT, 'From a link that has expired.');
    await again({ next: '/rates' });
    await again({});
    assert.equal(await nextNow(), '/rates', 'The last one counts.');
    const token = await secretOf(there, email, 'verify-address');
    assert.equal((await client.post('/api/auth/verify-email', { token })).body.data.next, '/rates');
    const { verification_next: left } = await there.db
      .selectFrom('users')
      .select('verification_next')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    assert.equal(left, null);
  });

  it('is in an email that is sent again', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const { client, user } = await there.asMember({ verified: false });
    there.clock.advance(MINUTE);
    const path = '/api/auth/email/verification-notification';
    const sent = await client.post(path, undefined, { query: { next: NEXT } });
    assert.equal(sent.status, 202, sent.text);
    const token = await secretOf(there, user.email, 'verify-address');
    const answer = await client.post('/api/auth/verify-email', { token });
    assert.equal(answer.body.data.next, NEXT);
  });
});

describe('POST /api/auth/email/verification-notification', () => {
  it('202: sends once a minute, 429 before, also for concurrent requests', async () => {
    const there = await startTestApi({ after }, { features: [audit, auth] });
    const path = '/api/auth/email/verification-notification';
    const { client, user } = await there.asMember({ verified: false });
    const early = await client.post(path);
    assert.equal(early.status, 429);
    assert.match(String(early.headers['retry-after']), /^([1-5]?\d|60)$/);
    there.clock.advance(MINUTE);
    const answers = await Promise.all([client.post(path), client.post(path)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 429]);
    assert.equal((await emailsTo(there, user.email)).length, 2);
  });

  it('202: sends nothing for a verified address; 401 for a guest', async () => {
    const { client, user } = await api.asMember();
    const path = '/api/auth/email/verification-notification';
    const before = await kinds(user.email);
    assert.equal((await client.post(path)).status, 202);
    assert.deepEqual(await kinds(user.email), before);
    assert.equal((await api.client().post(path)).status, 401);
  });
});
