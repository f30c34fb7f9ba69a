/** What a mail server refuses: the recipient or the email for good, the sender only for now. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { passWaits, refusal, startSmtp, until } from '#test/fakes/smtp.ts';
import { enqueueEmail } from './email.ts';
import { isRefusedForGood, isUndeliverable } from './smtp.ts';

const refused = (command: string, response: string) =>
  isRefusedForGood({
    code: command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE',
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  });

describe('a refusal', () => {
  const forGood: readonly [string, string][] = [
    ['RCPT TO', '550 5.1.1 No such user'],
    ['RCPT TO', '550 No such user here'],
    ['RCPT TO', '550 User unlisted in Domino Directory'],
    ['RCPT TO', '552 5.2.2 Mailbox full'],
    ['DATA', '554 5.6.0 Message refused'],
    ['DATA', '552 Message too large'],
    ['DATA', '552 Message size exceeds fixed limit'],
    ['RCPT TO', '552 Requested mail action aborted: exceeded storage allocation'],
    ['RCPT TO', '550 No such user: author@example.com'],
    ['RCPT TO', '550 <police@example.com>: user unknown'],
  ];
  for (const [command, response] of forGood) {
    it(`is for good: ${command}, ${response}`, () => assert.ok(refused(command, response)));
  }

  const forNow: readonly [string, string][] = [
    ['MAIL FROM', '550 5.7.1 Sender rejected'],
    ['MAIL FROM', '530 Authentication required'],
    ['AUTH PLAIN', '535 5.7.8 Authentication failed'],
    ['RCPT TO', '451 4.7.1 Come back later'],
    // Many servers say only here that they do not like the sender.
    ['RCPT TO', '530 5.7.0 Must authenticate first'],
    ['RCPT TO', '550 5.1.8 Sender address rejected: Domain not found'],
    ['RCPT TO', '554 5.7.1 Relay access denied'],
    ['RCPT TO', '550 relaying denied'],
    ['RCPT TO', '550 Your address is listed at bl.example'],
    ['RCPT TO', '550 192.0.2.1 is blacklisted'],
    // And some only once they have the text.
    ['DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
    ['DATA', '554 5.2.252 SendAsDenied; desk@example.com not allowed to send as me@example.com'],
    ['DATA', '554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException'],
    ['DATA', '550 Sending is not permitted without authentication'],
    ['DATA', '452 Out of room'],
    ['DATA', '550 The from address does not match a verified Sender Identity'],
    ['DATA', '554 Message rejected: Email address is not verified. desk@example.com'],
    ['DATA', '550 5.4.5 Daily user sending limit exceeded'],
    ['RCPT TO', '550 5.1.90 Your message has too many recipients today'],
    ['RCPT TO', '550 Sender verify failed'],
    ['RCPT TO', '553 Sender address rejected: not owned by user desk'],
    ['RCPT TO', '550 Domain example.com has exceeded the max emails per hour'],
    ['RCPT TO', '550 Account suspended'],
  ];
  for (const [command, response] of forNow) {
    it(`is for now: ${command}, ${response}`, () => assert.ok(!refused(command, response)));
  }
});

describe('a mailbox', () => {
  const isGone = (response: string) =>
    isUndeliverable({
      code: 'EENVELOPE',
      command: 'RCPT TO',
      response,
      responseCode: Number(response.slice(0, 3)),
    });

  it('is not there where a server has it in no list, and is where it lists the sender', () => {
    for (const how of [
      '550 User unlisted in Domino Directory',
      '550 No such user: author@example.com',
      '550 <police@example.com>: user unknown',
      '550 Requested action not taken: mailbox unavailable',
      "551 Recipient doesn't exist",
      '550 5.1.1 No',
    ])
      assert.ok(isGone(how), how);
    for (const how of [
      '550 Sender verify failed',
      '550 Sender address unknown',
      '550 No thanks',
      '552 Mailbox full',
      '553 sorry, your mailbox desk@example.com is over quota',
      '550 5.7.1 No such user for you',
    ])
      assert.ok(!isGone(how), how);
    for (const how of ['listed at bl.example', 'blacklisted', 'black-listed', 'block-listed'])
      assert.ok(!isGone(`550 192.0.2.1 is ${how}`), how);
  });
});

const send = (api: TestApi, email: string, more: { kind?: string; expiresAt?: Date } = {}) =>
  transaction(api.db, (tx) =>
    enqueueEmail(api.deps, tx, {
      kind: more.kind ?? 'test-kind',
      to: { email, userId: null, name: 'Alex Marlow', locale: 'en', proved: true },
      content: { subject: `To ${email}`, preview: '', heading: 'Hello', paragraphs: ['Words.'] },
      ...(more.expiresAt ? { expiresAt: more.expiresAt } : {}),
    }),
  );

const rowOf = (api: TestApi, email: string) =>
  api.db.selectFrom('emails').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow();

describe('a server that refuses the sender', () => {
  it('keeps emails waiting, and takes them once it is mended', async (t) => {
    for (const code of [550, 530]) {
      let isBroken = true;
      const smtp = await startSmtp(t, {
        options: {
          onMailFrom(_address, _session, done) {
            done(isBroken ? refusal(code, 'Sender rejected') : null);
          },
        },
      });
      const api = await startTestApi(t, { jobs: true, env: { MAIL_URL: smtp.url } });
      const email = `${code}@example.com`;
      await send(api, email);
      await until(async () => (await rowOf(api, email)).last_error !== null);
      assert.deepEqual([(await rowOf(api, email)).state, code], ['waiting', code]);
      isBroken = false;
      await until(
        async () => (await api.deps.sql`select from jobs.job where state = 'retry'`).length > 0,
      );
      await passWaits(api);
      await until(async () => (await rowOf(api, email)).state === 'sent');
      assert.equal((await rowOf(api, email)).attempts, 2);
    }
  });
});

describe('POST /api/admin/mail/retry', () => {
  it('retries all failed emails, but old, expired and undeliverable ones', async (t) => {
    const api = await startTestApi(t);
    const { client: admin } = await api.asAdmin();
    const hour = 3_600_000;
    await send(api, 'one@example.com');
    await send(api, 'two@example.com');
    await send(api, 'waits@example.com');
    await send(api, 'gone@example.com');
    await send(api, 'old@example.com');
    await send(api, 'young@example.com');
    await send(api, 'late@example.com', { expiresAt: new Date(Date.now() - hour) });
    await send(api, 'soon@example.com', { expiresAt: new Date(Date.now() + hour) });
    await api.deps.sql`update emails set state = 'failed', attempts = 9,
      last_error = 'No', undeliverable = (recipient = 'gone@example.com')
      where recipient <> 'waits@example.com'`;
    await api.deps.sql`update emails set created_at = now() - case recipient
      when 'old@example.com' then interval '169 hours' else interval '167 hours' end
      where recipient in ('old@example.com', 'young@example.com')`;
    await api.deps.sql`delete from jobs.job where name = 'emails'`;
    const status = async () => (await admin.get('/api/admin/mail/status')).body.data;
    const { failed, retryable } = await status();
    assert.deepEqual([failed, retryable], [7, 4]);
    const { status: code, body } = await admin.post('/api/admin/mail/retry');
    assert.deepEqual([code, body.data], [202, { retried: 4, left: 0 }]);
    const rows = await api.deps.sql`select recipient from emails where state = 'failed'`;
    assert.deepEqual(rows.map(({ recipient }) => recipient).toSorted(), [
      'gone@example.com',
      'late@example.com',
      'old@example.com',
    ]);
    const jobs = await api.deps.sql`select from jobs.job where name = 'emails'`;
    assert.equal(jobs.length, 4);
    assert.deepEqual((await rowOf(api, 'one@example.com')).attempts, 0);
    assert.equal((await status()).retryable, 0);
    const events = await api.db
      .selectFrom('audit_events')
      .select(['subject_id', 'data'])
      .where('action', '=', 'email.retried_all')
      .execute();
    assert.deepEqual(events, [{ subject_id: null, data: { emails: 4 } }]);
    assert.deepEqual((await admin.post('/api/admin/mail/retry')).body.data, {
      retried: 0,
      left: 0,
    });
  });
});
