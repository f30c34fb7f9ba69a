/** Strangers' mailboxes: what is sent to them, and how much. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { addTotp } from '#test/factories/second-factor.ts';
import { enqueueEmail, type Email } from './email.ts';

const api = await startTestApi({ after });
// Emails are counted by the hour of the clock: none begins while a test looks.
const now = Date.now();
api.clock.set(new Date(now - (now % HOUR) + 10 * MINUTE));
const newEmail = () => `${randomUUID()}@victim.example`;
const kinds = async (email: string) => (await emailsTo(api, email)).map(({ kind }) => kind);

const newMail = (email: string, kind: string, proved: boolean, essential = false): Email => ({
  kind,
  to: { email, userId: null, name: 'Alex Marlow', locale: 'en', proved },
  content: { subject: 'A', preview: 'A', heading: 'A', paragraphs: ['A'] },
  ...(essential ? { essential } : {}),
});
const send = (of: Email) => transaction(api.db, (tx) => enqueueEmail(api.deps, tx, of));
async function sendMany(of: Email, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await send(of);
}

describe('an address that nobody has proved', () => {
  it('hears of its proof alone, and nothing that a stranger chose', async () => {
    const email = newEmail();
    const name = 'You won 500 USD: www.evil.example';
    const client = api.client();
    await client.signUp({ email, name });
    const agent = { headers: { 'user-agent': 'Open evil.example/1 (now)' } };
    await api.client().post('/api/auth/signin', { email, password: PASSWORD }, agent);
    await addTotp(client, api.clock.now());
    assert.equal((await client.post('/api/user/two-factor/recovery-codes')).status, 200);
    assert.equal((await client.leave()).status, 204);
    const other = api.client();
    await other.signUp({ email, name });
    assert.deepEqual(await kinds(email), ['verify-address']);
    assert.doesNotMatch(JSON.stringify(await emailsTo(api, email)), /evil|You won/);
  });

  it('gets no name of another’s account either, when that wants to move there', async () => {
    const email = newEmail();
    const { client } = await api.asMember({ name: 'Go to www.evil.example' });
    await client.put('/api/user/email', { email, current_password: PASSWORD });
    assert.deepEqual(await kinds(email), ['verify-new-address']);
    assert.doesNotMatch(JSON.stringify(await emailsTo(api, email)), /evil/);
  });

  it('gets five emails of a kind an hour, and one an hour after twenty in a day, whoever asks, however accounts come and go', async () => {
    const email = newEmail();
    for (let count = 0; count < 5; count += 1) {
      const client = api.client();
      await client.signUp({ email });
      assert.equal((await client.leave()).status, 204);
    }
    await api.client().signUp({ email });
    const counted = await api.deps.sql`
      select sum(count)::int as count from email_counts where recipient_hash = ${hashOf(email)}`;
    assert.deepEqual([...counted], [{ count: 5 }]);

    const other = newEmail();
    for (let hour = 0; hour < 6; hour += 1) {
      await sendMany(newMail(other, 'verify-address', false), 6);
      api.clock.advance(HOUR);
    }
    assert.equal((await kinds(other)).length, 4 * 5 + 2);
    api.clock.advance(DAY);
    await send(newMail(other, 'verify-address', false));
    assert.equal((await kinds(other)).length, 23);
  });

  it('gets no more when they are written at once', async () => {
    const email = newEmail();
    const one = newMail(email, 'verify-address', false);
    await Promise.all(Array.from({ length: 9 }, () => send(one)));
    assert.equal((await kinds(email)).length, 5);
  });
});

describe('a proved address', () => {
  it('gets thirty emails of a kind an hour, and all of those about an exchange', async () => {
    const email = newEmail();
    await sendMany(newMail(email, 'recovery-codes-renewed', true), 32);
    assert.equal((await kinds(email)).length, 30);
    await sendMany(newMail(email, 'exchange-created', true, true), 3);
    assert.equal((await kinds(email)).length, 33);
  });
});

const hashOf = (email: string) => Buffer.from(api.deps.keys.sign('emails to', email), 'base64url');
