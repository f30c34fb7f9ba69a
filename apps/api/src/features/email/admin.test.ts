/** What admins see of emails, and the server that the settings name. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { openLog } from '#platform/log.ts';
import { startTestApi } from '#test/harness.ts';
import { refusal, startSilence, startSmtp, until } from '#test/fakes/smtp.ts';
import { deleteEmailsOfUser, enqueueEmail, findMailProblem } from './email.ts';
import { email as feature } from './routes.ts';

const PASSWORD = 'canary-smtp-password-42';
const smtp = await startSmtp(
  { after },
  {
    options: {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(username === 'desk' && password === PASSWORD ? null : new Error('Wrong password'), {
          user: username,
        }),
    },
  },
);
const api = await startTestApi({ after }, { jobs: true });
// Without the permission money they get no emails about the settings that they change.
const { client: admin, user: adminUser } = await api.asAdmin({
  name: 'Robin Okafor',
  permissions: ['settings'],
});

const write = (email: string, userId: string | null = null, to = api) =>
  transaction(to.db, (tx) =>
    enqueueEmail(to.deps, tx, {
      kind: 'test-kind',
      to: { email, userId, name: 'Alex Marlow', locale: 'en', proved: true },
      content: { subject: `To ${email}`, preview: '', heading: 'Hello', paragraphs: ['Words.'] },
    }),
  );
const status = async () => (await admin.get('/api/admin/mail/status')).body.data;
const test = async (recipient = 'me@example.com') =>
  (await admin.post('/api/admin/mail/test', { recipient })).body.data;

const run = (name: string) =>
  feature
    .tasks?.(api.deps)
    .find((task) => task.name === name)
    ?.run(new Date(), AbortSignal.any([]));

const server = {
  host: '127.0.0.1',
  port: smtp.port,
  security: 'none',
  username: 'desk',
  from_name: 'Example Desk',
  from_address: 'desk@example.com',
  reply_to: 'help@example.com',
  campaign_emails_per_minute: 120,
};

describe('without a mail server', () => {
  it('emails go to the local mailbox, and the status says so', async () => {
    const { transport, server: where, from } = await status();
    assert.deepEqual([transport, where], ['local', null]);
    assert.equal(from, 'Cambist <no-reply@localhost>');
    assert.equal(await findMailProblem(api.deps), null);
  });

  it('production does not start', async () => {
    const config = { ...api.deps.config, appEnv: 'production' as const };
    assert.match(
      (await findMailProblem({ ...api.deps, config })) ?? '',
      /^MAIL_URL is not set\. .*\.$/,
    );
  });
});

describe('the mail settings', () => {
  it('with a user name and no password say why emails wait at a server that wants it', async () => {
    const put = await admin.put('/api/admin/settings/mail', { version: 0, value: server });
    const refused = await test();
    assert.deepEqual([put.status, refused.accepted], [200, false]);
    assert.match(refused.answer, /user name .* no password/);
    await write('waits@example.com');
    const waiting = async () => (await admin.get('/api/admin/mail?state=waiting')).body.data;
    await until(async () => (await waiting())[0]?.last_error === refused.answer);
    await api.db.deleteFrom('emails').where('recipient', '=', 'waits@example.com').execute();
  });

  it('with a user name and no password are enough for a server that wants no sign-in', async (t) => {
    const open = await startSmtp(t, { options: { disabledCommands: ['AUTH', 'STARTTLS'] } });
    const { client } = await (await startTestApi(t)).asAdmin();
    const value = { ...server, port: open.port };
    await client.put('/api/admin/settings/mail', { version: 0, value });
    const { body } = await client.post('/api/admin/mail/test', { recipient: 'me@example.com' });
    assert.equal(body.data.accepted, true, body.data.answer);
  });

  it('name a server, whose password is sealed and never shown', async () => {
    const secret = await admin.put('/api/admin/settings/mail/secrets/password', {
      secret: PASSWORD,
    });
    assert.equal(secret.status, 200, secret.text);
    assert.ok(!JSON.stringify([secret.body, await status()]).includes(PASSWORD));
    const config = { ...api.deps.config, appEnv: 'production' as const };
    assert.equal(await findMailProblem({ ...api.deps, config }), null);
  });

  it('are what emails are sent by', async () => {
    await write('by-settings@example.com');
    const got = await smtp.next((each) => each.recipients.includes('by-settings@example.com'));
    assert.deepEqual(got.from, { name: 'Example Desk', address: 'desk@example.com' });
    assert.deepEqual(got.replyTo, [{ name: '', address: 'help@example.com' }]);
    const { transport, server: where } = await status();
    assert.deepEqual([transport, where], ['settings', `127.0.0.1:${smtp.port}`]);
  });

  it('are beaten by MAIL_URL and MAIL_FROM', async (t) => {
    const other = await startSmtp(t);
    const there = await startTestApi(t, {
      env: { MAIL_URL: other.url, MAIL_FROM: 'Desk <from@example.com>' },
    });
    const { client } = await there.asAdmin();
    await client.put('/api/admin/settings/mail', { version: 0, value: server });
    const { body } = await client.post('/api/admin/mail/test', { recipient: 'me@example.com' });
    assert.deepEqual(body.data, { accepted: true, answer: '250 Taken, with thanks' });
    assert.deepEqual(other.received[0]?.from, { name: 'Desk', address: 'from@example.com' });
    assert.equal((await client.get('/api/admin/mail/status')).body.data.transport, 'environment');
  });

  it('are refused where a password would go out in the clear, or an address is none', async () => {
    for (const [field, change] of [
      ['security', { host: 'mail.example.com' }],
      ['from_address', { from_address: 'a@example.com\r\nBcc: b@example.com' }],
      ['from_address', { from_address: 'desk' }],
      ['host', { host: 'mail.example.com/x' }],
    ] as const) {
      const value = { ...server, ...change };
      const { status: code, body } = await admin.put('/api/admin/settings/mail', {
        version: 1,
        value,
      });
      assert.equal(code, 422, JSON.stringify(change));
      assert.ok(
        Object.keys(body.errors).some((name) => name.includes(field)),
        field,
      );
    }
  });

  it('with STARTTLS demanded send nothing to a server without it', async () => {
    const before = smtp.received.length;
    await admin.put('/api/admin/settings/mail', {
      version: 1,
      value: { ...server, security: 'starttls' },
    });
    const { accepted, answer } = await test();
    assert.equal(accepted, false);
    assert.match(answer, /STARTTLS|upgrade|TLS/i);
    await admin.put('/api/admin/settings/mail', { version: 2, value: server });
    assert.equal(smtp.received.length, before);
  });
});

describe('another mail server', () => {
  it('is not handed the old one’s password', async (t) => {
    const there = await startTestApi(t);
    const { client } = await there.asAdmin();
    const put = (version: number, value: object) =>
      client.put('/api/admin/settings/mail', { version, value });
    const isSet = async () =>
      (await client.get('/api/admin/settings/mail')).body.data.secrets[0].set;
    const give = (secret: string) =>
      client.put('/api/admin/settings/mail/secrets/password', { secret });
    assert.deepEqual(Object.keys((await give(PASSWORD)).body.errors), ['secret']);
    await put(0, server);
    assert.deepEqual(Object.keys((await give('  ')).body.errors), ['secret']);
    assert.equal((await give(PASSWORD)).status, 200);
    await put(1, { ...server, from_name: 'Another name' });
    assert.equal(await isSet(), true);
    const moved = await put(2, { ...server, host: 'mail.example.com', security: 'tls' });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(await isSet(), false);
  });
});

describe('POST /api/admin/mail/test', () => {
  it('sends at once and answers what the server said', async () => {
    const { accepted, answer } = await test('robin@example.com');
    assert.deepEqual([accepted, answer], [true, '250 Taken, with thanks']);
    const got = smtp.received.at(-1);
    assert.equal(got?.subject, 'A test email from Cambist');
    assert.deepEqual(got?.to, [{ name: 'Robin Okafor', address: 'robin@example.com' }]);
    const events = await api.db
      .selectFrom('audit_events')
      .select(['actor_id', 'data'])
      .where('action', '=', 'email.tested')
      .execute();
    assert.ok(events.some(({ data }) => (data as { accepted: boolean }).accepted));
    assert.ok(events.every(({ actor_id }) => actor_id === adminUser.id));
  });

  it('tells no password that the server repeats, nor does an email that waits, nor the log', async (t) => {
    const asSent = Buffer.from(`\0desk\0${PASSWORD}`).toString('base64');
    const echo = await startSmtp(t, {
      options: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) =>
          done(refusal(535, `bad auth for desk with ${PASSWORD} (${asSent})`)),
      },
    });
    const logged: string[] = [];
    const log = openLog({ logLevel: 'debug' }, { write: (line) => void logged.push(line) });
    const url = echo.url.replace('smtp://', `smtp://desk:${PASSWORD}@`);
    const there = await startTestApi(t, { jobs: true, log, env: { MAIL_URL: url } });
    const { client } = await there.asAdmin();
    const tested = await client.post('/api/admin/mail/test', { recipient: 'me@example.com' });
    const shown = /535 bad auth for desk with \[secret\] \(\[secret\]\)$/;
    assert.match(tested.body.data.answer, shown);
    await write('echoed@example.com', null, there);
    const row = () => there.db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
    await until(async () => (await row()).last_error !== null);
    assert.match((await row()).last_error ?? '', shown);
    await until(() => logged.join('').includes('A job failed and will be tried again'));
    for (const secret of [PASSWORD, asSent]) assert.ok(!logged.join('').includes(secret));
  });

  it('tells when a server does not answer', async (t) => {
    const silence = await startSilence(t);
    const there = await startTestApi(t, { env: { MAIL_URL: silence.url } });
    const { client } = await there.asAdmin();
    const answer = await client.post('/api/admin/mail/test', { recipient: 'me@example.com' });
    assert.equal(answer.body.data.accepted, false, answer.text);
  });

  it('refuses what is no address', async () => {
    const { status: code } = await admin.post('/api/admin/mail/test', { recipient: 'a@b\r\nc' });
    assert.equal(code, 422);
  });
});

describe('GET /api/admin/mail', () => {
  it('lists emails by page, state and recipient, without what they say', async () => {
    for (const name of ['one', 'two', 'three']) await write(`${name}@list.example.com`);
    await write('Capital@List.example.com');
    await until(async () => (await status()).waiting === 0);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { per_page: 2, ...(cursor ? { cursor } : {}) };
      const { body } = await admin.get('/api/admin/mail', { query });
      seen.push(...body.data.map(({ recipient }: { recipient: string }) => recipient));
      assert.ok(body.data.length <= 2);
      for (const email of body.data) assert.ok(!('data' in email) && !('secret' in email));
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(
      seen.slice(0, 4),
      ['Capital@List', 'three@list', 'two@list', 'one@list'].map((n) => `${n}.example.com`),
    );
    assert.equal(new Set(seen).size, seen.length);
    const one = await admin.get('/api/admin/mail', {
      query: { recipient: ' ONE@list.example.COM', state: 'sent' },
    });
    assert.equal(one.body.data.length, 1);
    assert.match(one.body.data[0].sent_at, /^\d{4}-/);
    const capital = { query: { recipient: 'capital@list.example.com' } };
    assert.equal((await admin.get('/api/admin/mail', capital)).body.data.length, 1);
    const none = await admin.get('/api/admin/mail', { query: { state: 'failed' } });
    assert.deepEqual(none.body.data, []);
    const wrong = await admin.get('/api/admin/mail', { query: { cursor: 'x' } });
    assert.equal(wrong.status, 422);
  });
});

describe('emails that are done with', () => {
  it('are deleted with the account, or after ninety days', async () => {
    const { user } = await api.asMember();
    await write('gone@example.com', user.id);
    await until(async () => (await status()).waiting === 0);
    await transaction(api.db, (tx) => deleteEmailsOfUser(tx, user.id));
    const query = { recipient: 'gone@example.com' };
    assert.deepEqual((await admin.get('/api/admin/mail', { query })).body.data, []);
    await api.deps.sql`update emails set created_at = now() - interval '91 days'
      where recipient = 'one@list.example.com'`;
    await run('delete-old-emails');
    const left = await admin.get('/api/admin/mail', {
      query: { recipient: 'one@list.example.com' },
    });
    assert.deepEqual(left.body.data, []);
    assert.ok((await admin.get('/api/admin/mail')).body.data.length > 0);
  });
});
