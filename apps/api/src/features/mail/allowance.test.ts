/** Strangers' mailboxes: what is written to them, and how much. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { openLog } from '#platform/log.ts';
import { transaction } from '#platform/database.ts';
import { PASSWORD } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { lettersTo } from '#test/letters.ts';
import { addTotp } from '#test/second-factor.ts';
import { tellDropped } from './allowance.ts';
import { post, type Letter } from './mail.ts';

const lines: string[] = [];
const log = openLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
const api = await startTestApi({ after }, { log });
// Letters are counted by the hour of the clock: none begins while a test looks.
const now = Date.now();
api.clock.set(new Date(now - (now % HOUR) + 10 * MINUTE));
const newEmail = () => `${randomUUID()}@victim.example`;
const kinds = async (email: string) => (await lettersTo(api, email)).map(({ kind }) => kind);

const letter = (email: string, kind: string, proved: boolean, essential = false): Letter => ({
  kind,
  to: { email, userId: null, name: 'Alex Marlow', locale: 'en', proved },
  content: { subject: 'A', preview: 'A', heading: 'A', paragraphs: ['A'] },
  ...(essential ? { essential } : {}),
});
const send = (of: Letter) => transaction(api.db, (tx) => post(api.deps, tx, of));
async function sendMany(of: Letter, count: number): Promise<void> {
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
    assert.doesNotMatch(JSON.stringify(await lettersTo(api, email)), /evil|You won/);
  });

  it('gets no name of another’s account either, when that wants to move there', async () => {
    const email = newEmail();
    const { client } = await api.asMember({ name: 'Go to www.evil.example' });
    await client.put('/api/user/email', { email, current_password: PASSWORD });
    assert.deepEqual(await kinds(email), ['verify-new-address']);
    assert.doesNotMatch(JSON.stringify(await lettersTo(api, email)), /evil/);
  });

  it('gets five letters an hour and twenty a day, whoever asks, however accounts come and go', async () => {
    const email = newEmail();
    for (let count = 0; count < 5; count += 1) {
      const client = api.client();
      await client.signUp({ email });
      assert.equal((await client.leave()).status, 204);
    }
    await api.client().signUp({ email });
    const noted = await api.deps.sql`
      select sum(written)::int as written, sum(dropped)::int as dropped from letter_counts
      where recipient_hash = ${hashOf(email)}`;
    assert.deepEqual([...noted], [{ written: 5, dropped: 1 }]);

    const other = newEmail();
    for (let hour = 0; hour < 6; hour += 1) {
      await sendMany(letter(other, 'verify-address', false), 6);
      api.clock.advance(HOUR);
    }
    assert.equal((await kinds(other)).length, 20);
    api.clock.advance(DAY);
    await send(letter(other, 'verify-address', false));
    assert.equal((await kinds(other)).length, 21);
  });

  for (const kind of ['reset-password', 'verify-new-address']) {
    it(`gets each hour one letter that opens something, however many there were: ${kind}`, async () => {
      const email = newEmail();
      for (let hour = 0; hour < 6; hour += 1) {
        await sendMany(letter(email, kind, false), 6);
        api.clock.advance(HOUR);
      }
      assert.equal((await kinds(email)).length, 4 * 5 + 2);
    });
  }

  it('gets no more when they are written at once', async () => {
    const email = newEmail();
    const one = letter(email, 'verify-address', false);
    await Promise.all(Array.from({ length: 9 }, () => send(one)));
    assert.equal((await kinds(email)).length, 5);
  });
});

describe('a proved address', () => {
  it('gets thirty letters an hour, and all of those about an exchange', async () => {
    const email = newEmail();
    await sendMany(letter(email, 'recovery-codes-renewed', true), 32);
    assert.equal((await kinds(email)).length, 30);
    await sendMany(letter(email, 'exchange-created', true, true), 3);
    assert.equal((await kinds(email)).length, 33);
  });
});

describe('what was dropped', () => {
  it('is counted for admins and told in one line of the log', async () => {
    const { client: admin } = await api.asAdmin();
    await tellDropped(api.deps);
    const before = (await admin.get('/api/admin/mail/status')).body.data.dropped_last_24h;
    const [one, other] = [newEmail(), newEmail()];
    for (const email of [one, other]) await sendMany(letter(email, 'reset-password', false), 7);
    const { body } = await admin.get('/api/admin/mail/status');
    assert.equal(body.data.dropped_last_24h, before + 4);
    lines.length = 0;
    assert.equal(await tellDropped(api.deps), 4);
    assert.equal(await tellDropped(api.deps), 0);
    const told = lines.filter((line) => line.includes('were dropped'));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /"letters":4,"addresses":2/);
    assert.ok(!told[0]?.includes(one));
  });
});

const hashOf = (email: string) => Buffer.from(api.deps.keys.sign('letters to', email), 'base64url');
