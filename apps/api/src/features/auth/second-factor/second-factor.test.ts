import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { startTestApi } from '#test/harness.ts';
import { secretOf } from '#test/factories/emails.ts';
import { addPasskey, addTotp, codeAt, firstStep } from '#test/factories/second-factor.ts';
import { sendRequestedReset } from '../password/password-reset.ts';

const api = await startTestApi({ after });
const CHALLENGE = '/api/auth/two-factor-challenge';
const STEP = 30 * SECOND;

async function withTotp() {
  const email = `${randomUUID()}@example.com`;
  const { client, user } = await api.asMember({ email });
  const app = await addTotp(client, api.clock.now());
  // The first code is used up; the next step has another.
  api.clock.advance(STEP);
  return { email, client, user, ...app };
}

async function auditOf(userId: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

async function emailsTo(email: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('emails')
    .select('kind')
    .where('recipient', '=', email)
    .orderBy('created_at')
    .execute();
  return rows.map(({ kind }) => kind);
}

describe('an authenticator app', () => {
  it('is off until its first code is confirmed', async () => {
    const email = `${randomUUID()}@example.com`;
    const { client } = await api.asMember({ email });
    const begun = await client.post('/api/user/two-factor/totp');
    assert.match(begun.body.data.secret, /^[A-Z2-7]{32}$/);
    assert.match(begun.body.data.uri, /^otpauth:\/\/totp\/Cambist:.*secret=[A-Z2-7]{32}/);
    await api.client().signIn(email);
    const wrong = await client.post('/api/user/two-factor/totp/confirmation', { code: '000000' });
    assert.equal(wrong.status, 422);
    assert.ok(wrong.body.errors.code);
    const row = await api.db.selectFrom('totp_factors').selectAll().executeTakeFirstOrThrow();
    assert.ok(!row.sealed.toString('latin1').includes(begun.body.data.secret));
  });

  it('is asked for at sign-in, which has no session before', async () => {
    const { email, user, secret, recoveryCodes } = await withTotp();
    assert.equal(recoveryCodes.length, 10);
    const browser = api.client();
    const asked = await firstStep(browser, email);
    assert.deepEqual(asked, { two_factor: true, methods: ['totp', 'recovery_code'] });
    assert.equal((await browser.get('/api/user')).status, 401);
    const code = codeAt(secret, api.clock.now());
    const done = await browser.post(CHALLENGE, { code });
    assert.equal(done.status, 200, done.text);
    assert.equal(done.body.data.id, user.id);
    assert.equal(done.body.data.two_factor_enabled, true);
    assert.equal((await browser.get('/api/user')).status, 200);
    assert.deepEqual(await auditOf(user.id), ['auth.signup', 'auth.totp_added']);
    assert.ok((await emailsTo(email)).includes('second-factor-on'));
  });

  it('ends the other sessions when it is added or removed', async () => {
    const email = `${randomUUID()}@example.com`;
    const { client } = await api.asMember({ email });
    const other = api.client();
    await other.signIn(email);
    await addTotp(client, api.clock.now());
    assert.equal((await other.get('/api/user')).status, 401);
    assert.equal((await client.get('/api/user')).body.two_factor_enabled, true);
    assert.equal((await client.post('/api/user/two-factor/totp')).body.code, 'totp_enabled');
    assert.equal((await client.delete('/api/user/two-factor/totp')).status, 204);
    assert.equal((await client.delete('/api/user/two-factor/totp')).status, 404);
    assert.ok((await emailsTo(email)).includes('authenticator-removed'));
    await api.client().signIn(email);
    const codes = await client.get('/api/user/two-factor');
    assert.deepEqual(codes.body.data, {
      totp: false,
      passkeys: [],
      recovery_codes_left: 0,
      missing: false,
    });
  });

  it('accepts each code once, also in concurrent requests', async () => {
    const { email, secret } = await withTotp();
    const browsers = [api.client(), api.client(), api.client()];
    for (const browser of browsers) await firstStep(browser, email);
    const code = codeAt(secret, api.clock.now());
    const answers = await Promise.all(browsers.map((browser) => browser.post(CHALLENGE, { code })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422]);
    const late = api.client();
    await firstStep(late, email);
    assert.equal((await late.post(CHALLENGE, { code })).status, 422);
    const earlier = codeAt(secret, new Date(api.clock.now().getTime() - STEP));
    assert.equal((await late.post(CHALLENGE, { code: earlier })).status, 422);
  });

  it('allows five tries, then needs another sign-in', async () => {
    const { email, user, secret } = await withTotp();
    const browser = api.client();
    await firstStep(browser, email);
    for (let tried = 0; tried < 5; tried += 1) {
      assert.equal((await browser.post(CHALLENGE, { code: '000000' })).status, 422);
    }
    const code = codeAt(secret, api.clock.now());
    const refused = await browser.post(CHALLENGE, { code });
    assert.deepEqual([refused.status, refused.body.code], [409, 'sign_in_again']);
    assert.equal((await auditOf(user.id)).at(-1), 'auth.second_factor_failed');
  });

  it('is asked for in the same browser, within ten minutes', async () => {
    const { email, secret } = await withTotp();
    const browser = api.client();
    await firstStep(browser, email);
    const code = () => codeAt(secret, api.clock.now());
    assert.equal((await api.client().post(CHALLENGE, { code: code() })).body.code, 'sign_in_again');
    api.clock.advance(10 * MINUTE);
    assert.equal((await browser.post(CHALLENGE, { code: code() })).body.code, 'sign_in_again');
  });

  it('does not end a sign-in whose password has been changed meanwhile', async () => {
    const { email, client, user, secret } = await withTotp();
    const browser = api.client();
    await firstStep(browser, email);
    await client.post('/api/user/two-factor/recovery-codes');
    await api.db.deleteFrom('recovery_codes').where('user_id', '=', user.id).execute();
    const code = codeAt(secret, api.clock.now());
    assert.equal((await browser.post(CHALLENGE, { code })).body.code, 'sign_in_again');
  });

  it('needs exactly one proof', async () => {
    const { email } = await withTotp();
    const browser = api.client();
    await firstStep(browser, email);
    assert.equal((await browser.post(CHALLENGE, {})).status, 422);
    const both = { code: '000000', recovery_code: 'abcd-efgh-jkmn' };
    assert.equal((await browser.post(CHALLENGE, both)).status, 422);
  });

  it('confirms an identity, with each code once', async () => {
    const { client, secret } = await withTotp();
    api.clock.advance(11 * MINUTE);
    const refused = await client.delete('/api/user/two-factor/totp');
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation_required']);
    const code = codeAt(secret, api.clock.now());
    assert.equal((await client.post('/api/user/confirmation', { code: '000000' })).status, 422);
    assert.equal((await client.post('/api/user/confirmation', { code })).status, 200);
    assert.equal((await client.post('/api/user/confirmation', { code })).status, 422);
    assert.equal((await client.delete('/api/user/two-factor/totp')).status, 204);
  });
});

describe('recovery codes', () => {
  it('work once each, however they are typed, and are stored as hashes', async () => {
    const { email, user, recoveryCodes } = await withTotp();
    const [first = '', second = ''] = recoveryCodes;
    const browser = api.client();
    await firstStep(browser, email);
    const typed = ` 1. ${first.toUpperCase().replaceAll('-', ' – ')} `;
    const done = await browser.post(CHALLENGE, { recovery_code: typed });
    assert.equal(done.status, 200, done.text);
    assert.equal((await browser.get('/api/user/two-factor')).body.data.recovery_codes_left, 9);
    assert.ok((await emailsTo(email)).includes('recovery-code-used'));

    const twice = [api.client(), api.client()];
    for (const client of twice) await firstStep(client, email);
    const answers = await Promise.all(
      twice.map((client) => client.post(CHALLENGE, { recovery_code: second })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
    const again = api.client();
    await firstStep(again, email);
    assert.equal((await again.post(CHALLENGE, { recovery_code: first })).status, 422);
    const rows = await api.db
      .selectFrom('recovery_codes')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    assert.ok(!JSON.stringify(rows).includes(first));
  });

  it('stop working when new ones are created', async () => {
    const { email, client, recoveryCodes } = await withTotp();
    const renewed = await client.post('/api/user/two-factor/recovery-codes');
    assert.equal(renewed.body.data.recovery_codes.length, 10);
    const browser = api.client();
    await firstStep(browser, email);
    const [old = ''] = recoveryCodes;
    assert.equal((await browser.post(CHALLENGE, { recovery_code: old })).status, 422);
    const [fresh] = renewed.body.data.recovery_codes;
    assert.equal((await browser.post(CHALLENGE, { recovery_code: fresh })).status, 200);
    const { client: without } = await api.asMember();
    const refused = await without.post('/api/user/two-factor/recovery-codes');
    assert.equal(refused.body.code, 'no_second_factor');
  });
});

describe('a second factor that the desk requires', () => {
  it('must be set up by an admin before anything else', async () => {
    const { client: chief } = await api.asAdmin();
    const { client: admin } = await api.asAdmin();
    const set = async (two_factor_for_admins: string) => {
      const { body } = await chief.get('/api/admin/settings/security');
      const value = { ...body.data.value, two_factor_for_admins };
      const put = { version: body.data.version, value };
      return chief.put('/api/admin/settings/security', put);
    };
    assert.equal((await set('default')).status, 200, 'a trial desk demands none by default');
    const early = await set('on');
    assert.equal(early.status, 422, 'it would lock this admin out');
    assert.match(early.body.errors.two_factor_for_admins[0], /no second step yet/);
    await addTotp(chief, api.clock.now());
    assert.equal((await set('on')).status, 200);
    assert.equal((await admin.get('/api/user')).body.two_factor_missing, true);
    assert.equal((await admin.get('/api/user/two-factor')).body.data.missing, true);
    const refused = await admin.get('/api/admin/pairs');
    assert.deepEqual([refused.status, refused.body.code], [403, 'two_factor_required']);
    assert.equal((await admin.get('/api/admin/nothing')).body.code, 'two_factor_required');
    await addPasskey(admin);
    assert.equal((await admin.get('/api/admin/pairs')).status, 200);
    assert.equal((await admin.get('/api/user')).body.two_factor_missing, false);
    const last = await chief.delete('/api/user/two-factor/totp');
    assert.deepEqual([last.status, last.body.code], [409, 'two_factor_mandatory']);
    assert.equal((await set('off')).status, 200);
    assert.equal((await chief.delete('/api/user/two-factor/totp')).status, 204);
  });
});

describe('tries of codes', () => {
  it('are counted by account, from all networks', async () => {
    const strict = await startTestApi({ after }, { env: { THROTTLE_SCALE: '1' } });
    const email = `${randomUUID()}@example.com`;
    const { client } = await strict.asMember({ email });
    const { secret, recoveryCodes } = await addTotp(client, strict.clock.now());
    strict.clock.advance(STEP);
    const statuses = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${round}` };
      const browser = strict.client();
      const body = { email, password: 'correct horse battery staple' };
      await browser.post('/api/auth/signin', body, { headers });
      for (let tried = 0; tried < 5; tried += 1) {
        statuses.add((await browser.post(CHALLENGE, { code: '000000' }, { headers })).status);
      }
    }
    assert.ok(statuses.has(429));
    const browser = strict.client();
    await firstStep(browser, email);
    const code = codeAt(secret, strict.clock.now());
    assert.equal((await browser.post(CHALLENGE, { code })).status, 429);
    const byPaper = await browser.post(CHALLENGE, { recovery_code: recoveryCodes[0] });
    assert.equal(byPaper.status, 200, byPaper.text);
  });

  it('are counted from zero after a new password', async () => {
    const strict = await startTestApi({ after }, { env: { THROTTLE_SCALE: '1' } });
    const email = `${randomUUID()}@example.com`;
    const { client, user } = await strict.asMember({ email });
    const { secret } = await addTotp(client, strict.clock.now());
    strict.clock.advance(STEP);
    for (let round = 0; round < 4; round += 1) {
      const thief = strict.client();
      await firstStep(thief, email);
      for (let tried = 0; tried < 5; tried += 1) await thief.post(CHALLENGE, { code: '000000' });
    }
    await sendRequestedReset(strict.deps, { email, ip: '::1', requestId: 'x' });
    const token = await secretOf(strict, email, 'reset-password');
    const password = 'a purse full of crowns';
    const elsewhere = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    const reset = await strict
      .client()
      .post('/api/auth/reset-password', { token, password }, elsewhere);
    assert.equal(reset.status, 204, reset.text);
    const owner = strict.client();
    await owner.post('/api/auth/signin', { email, password }, elsewhere);
    const code = codeAt(secret, strict.clock.now());
    const done = await owner.post(CHALLENGE, { code }, elsewhere);
    assert.equal(done.body.data?.id, user.id, done.text);
  });
});
