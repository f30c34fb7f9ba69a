/** What strangers cause takes nothing from the emails that an account needs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { sendRequestedReset } from '#features/auth/password/password-reset.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { addTotp } from '#test/factories/second-factor.ts';

const api = await startTestApi({ after });
const newEmail = () => `${randomUUID()}@victim.example`;
const kinds = async (email: string) => (await emailsTo(api, email)).map(({ kind }) => kind);
const count = async (email: string, kind: string) =>
  (await kinds(email)).filter((each) => each === kind).length;

/** Emails are counted by the hour of the clock: an hour begins. */
function beginHour(): void {
  const now = api.clock.now().getTime();
  api.clock.advance(HOUR - (now % HOUR) + SECOND);
}

async function wantAddress(client: Client, email: string, times: number) {
  const answers = [];
  for (let time = 0; time < times; time += 1) {
    api.clock.advance(MINUTE + SECOND);
    const body = { email, current_password: PASSWORD };
    answers.push(await client.put('/api/user/email', body));
  }
  return answers;
}

async function writeToDesk(email: string, times: number): Promise<void> {
  const message = { name: 'A stranger', email, message: 'Hello there' };
  for (let time = 0; time < times; time += 1) {
    const { status } = await api.client().post('/api/contact-submissions', message);
    assert.equal(status, 201);
  }
}

describe('a stranger who wants somebody’s address again and again', () => {
  it('is told to them twice a day, and silences no email about their account', async () => {
    const email = newEmail();
    await api.asMember({ email });
    for (let stranger = 0; stranger < 8; stranger += 1) {
      beginHour();
      const { client: thief } = await api.asMember();
      await wantAddress(thief, email, 4);
    }
    assert.equal(await count(email, 'address-has-account'), 2);
    const client = api.client();
    await client.signIn(email);
    const before = (await kinds(email)).length;
    const origin = { ip: '203.0.113.9', requestId: 'r' };
    await sendRequestedReset(api.deps, { email, ...origin });
    const change = { current_password: PASSWORD, password: 'another long horse 77' };
    assert.equal((await client.put('/api/user/password', change)).status, 200);
    await addTotp(client, api.clock.now());
    assert.deepEqual((await kinds(email)).slice(before), [
      'reset-password',
      'password-changed',
      'second-factor-on',
    ]);
    api.clock.advance(DAY + HOUR);
    const { client: thief } = await api.asMember();
    await wantAddress(thief, email, 1);
    assert.equal(await count(email, 'address-has-account'), 3);
  });

  it('hears the same whether the address has an account or not', async () => {
    const [taken, free] = [newEmail(), newEmail()];
    await api.asMember({ email: taken });
    const answersFor = async (email: string) => {
      beginHour();
      const { client } = await api.asMember();
      const answers = await wantAddress(client, email, 7);
      return answers.map(({ status, body }) => [status, body?.code]);
    };
    const answers = await answersFor(free);
    assert.deepEqual(answers.slice(4), [
      [202, undefined],
      [429, 'too_many_emails'],
      [429, 'too_many_emails'],
    ]);
    assert.deepEqual(await answersFor(taken), answers);
  });
});

describe('a stranger who signs up with somebody’s address and leaves, again and again', () => {
  it('does not keep them from signing up; who asks for the email is told when it can be sent', async () => {
    const email = newEmail();
    beginHour();
    for (let account = 0; account < 20; account += 1) {
      if (account > 0 && account % 5 === 0) beginHour();
      const stranger = api.client();
      await stranger.signUp({ email });
      assert.equal((await stranger.leave()).status, 204);
    }
    beginHour();
    const client = api.client();
    const user = await client.signUp({ email });
    assert.deepEqual([user.email, user.email_verified_at], [email, null]);
    // The others were deleted with their accounts; one an hour is always sent.
    assert.equal(await count(email, 'verify-address'), 1);
    api.clock.advance(2 * MINUTE);
    const path = '/api/auth/email/verification-notification';
    const { status, body, headers } = await client.post(path);
    assert.deepEqual([status, body.code], [429, 'too_many_emails']);
    api.clock.advance(Number(headers['retry-after']) * SECOND);
    const later = api.client();
    await later.signIn(email);
    assert.equal((await later.post(path)).status, 202);
    assert.equal(await count(email, 'verify-address'), 2);
  });
});

describe('a stranger who asks for somebody’s new password again and again', () => {
  const askFor = (email: string) =>
    sendRequestedReset(api.deps, { email, ip: '203.0.113.9', requestId: 'r' });
  const notes = async (id: string) =>
    api.db
      .selectFrom('audit_events')
      .select('id')
      .where('subject_id', '=', id)
      .where('action', '=', 'auth.password_reset_asked')
      .execute();

  it('does not keep the owner’s own email away two hours later', async () => {
    const { user } = await api.asMember({ verified: false });
    beginHour();
    for (let asked = 0; asked < 30; asked += 1) {
      await askFor(user.email);
      api.clock.advance(12 * MINUTE);
    }
    const before = await count(user.email, 'reset-password');
    assert.ok(before >= 20 && before <= 30, `${before}`);
    api.clock.advance(2 * HOUR);
    await askFor(user.email);
    assert.equal(await count(user.email, 'reset-password'), before + 1);
  });

  it('is in the log with the emails that were sent alone, and leaves no link without one', async () => {
    const email = newEmail();
    beginHour();
    const stranger = api.client();
    const gone = await stranger.signUp({ email });
    for (let asked = 0; asked < 5; asked += 1) {
      await askFor(email);
      api.clock.advance(MINUTE + SECOND);
    }
    assert.equal((await notes(gone.id)).length, 5);
    assert.equal((await stranger.leave()).status, 204);
    const user = await api.client().signUp({ email });
    await askFor(email);
    assert.equal(await count(email, 'reset-password'), 0);
    assert.deepEqual(await notes(user.id), []);
    const links = api.db.selectFrom('password_resets').select('token_hash');
    assert.deepEqual(await links.where('user_id', '=', user.id).execute(), []);
  });
});

describe('messages that a stranger writes in somebody’s name', () => {
  it('are confirmed twice a day, and leave the emails that prove the address alone', async () => {
    const email = newEmail();
    beginHour();
    await writeToDesk(email, 6);
    for (let time = 0; time < 4; time += 1) {
      await api.client().post('/api/subscribers', { email });
      api.clock.advance(11 * MINUTE);
    }
    const client = api.client();
    await client.signUp({ email });
    assert.equal(await count(email, 'message-received'), 2);
    assert.equal(await count(email, 'subscribe-confirm'), 2);
    assert.equal(await count(email, 'verify-address'), 1);
    api.clock.advance(2 * MINUTE);
    const again = await client.post('/api/auth/email/verification-notification');
    assert.equal(again.status, 202);
    assert.equal(await count(email, 'verify-address'), 2);
  });

  it('nor keep the email away by which an admin asks for a new password', async () => {
    const email = newEmail();
    const { user } = await api.asMember({ email, verified: false });
    await writeToDesk(email, 6);
    const { client: admin } = await api.asAdmin();
    const forced = await admin.post(`/api/admin/users/${user.id}/password-reset`);
    assert.equal(forced.status, 202, forced.text);
    assert.equal(await count(email, 'password-reset-forced'), 1);
  });
});

describe('an email that a person waits for', () => {
  it('is refused with the time after which it is sent, where the address has had many', async () => {
    beginHour();
    const { client, user } = await api.asMember({ verified: false });
    const resend = () => client.post('/api/auth/email/verification-notification');
    for (let time = 0; time < 4; time += 1) {
      api.clock.advance(2 * MINUTE);
      assert.equal((await resend()).status, 202);
    }
    api.clock.advance(2 * MINUTE);
    const { status, body, headers } = await resend();
    assert.deepEqual([status, body.code], [429, 'too_many_emails']);
    const wait = Number(headers['retry-after']);
    assert.ok(wait > 45 * 60 && wait <= 60 * 60, `${wait}`);
    assert.equal(await count(user.email, 'verify-address'), 5);
    api.clock.advance(wait * SECOND);
    assert.equal((await resend()).status, 202);
  });

  it('takes no password when it is forced and cannot be written', async () => {
    beginHour();
    const { user } = await api.asMember({ verified: false });
    const { client: admin } = await api.asAdmin();
    const force = () => admin.post(`/api/admin/users/${user.id}/password-reset`);
    for (let time = 0; time < 5; time += 1) assert.equal((await force()).status, 202);
    const before = await api.db
      .selectFrom('password_resets')
      .select('token_hash')
      .where('user_id', '=', user.id)
      .execute();
    const { status, body } = await force();
    assert.deepEqual([status, body.code], [429, 'too_many_emails']);
    const left = await api.db
      .selectFrom('password_resets')
      .select('token_hash')
      .where('user_id', '=', user.id)
      .execute();
    assert.deepEqual(left, before, 'the link of the last email still works');
  });
});
