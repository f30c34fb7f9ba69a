/** Emails on their way: through a real mail server, into a row's states, past a bad one. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '#platform/log.ts';
import { transaction } from '#platform/db/database.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { passWaits, refusal, startSilence, startSmtp, until } from '#test/fakes/smtp.ts';
import { enqueueEmail, type Email } from './email.ts';

const CANARY = 'canary-7c1d5e9b2f4a8036';
const logged: string[] = [];
const log = openLog({ logLevel: 'debug' }, { write: (line) => void logged.push(line) });

let answer: (() => Promise<void> | void) | null = null;
const smtp = await startSmtp({ after }, { accept: () => answer?.() });
const api = await startTestApi({ after }, { jobs: true, log, env: { MAIL_URL: smtp.url } });
const { client: admin } = await api.asAdmin({ name: 'Robin Okafor' });

function newEmail(address: string, changes: Partial<Email> = {}): Email {
  return {
    kind: 'test-kind',
    to: { email: address, userId: null, name: 'Alex Marlow', locale: 'en', proved: true },
    content: {
      subject: 'A subject',
      preview: 'A preview',
      heading: 'A heading',
      paragraphs: ['A paragraph.'],
    },
    ...changes,
  };
}

const send = (of: Email, to: TestApi = api) =>
  transaction(to.db, (tx) => enqueueEmail(to.deps, tx, of));

async function rowOf(email: string, of: TestApi = api) {
  return of.db
    .selectFrom('emails')
    .selectAll()
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow();
}

const jobStates = async () => {
  const rows = await api.deps.sql`select state::text from jobs.job where name = 'emails'`;
  return rows.map(({ state }) => state);
};

describe('an email', () => {
  it('exists exactly when the transaction that wrote it does', async () => {
    await assert.rejects(
      transaction(api.db, async (tx) => {
        await enqueueEmail(api.deps, tx, newEmail('rolled-back@example.com'));
        throw new Error('no');
      }),
    );
    await send(newEmail('committed@example.com'));
    const got = await smtp.next((each) => each.recipients.includes('committed@example.com'));
    assert.deepEqual(got.recipients, ['committed@example.com']);
    assert.equal(smtp.received.length, 1);
    const jobs = await api.deps.sql`select data from jobs.job where name = 'emails'`;
    assert.equal(jobs.length, 1);
  });

  it('arrives as HTML and text from one template, with its link and its Message-ID', async () => {
    const email = 'whole@example.com';
    await send(
      newEmail(email, {
        secret: CANARY,
        content: {
          subject: 'Ümlaut & <tags>',
          preview: 'What a mailbox shows',
          heading: 'Is <b>this</b> safe?',
          paragraphs: ['One & two.'],
          facts: [{ label: 'Amount', value: '100.00 <USD>' }],
          action: { label: 'Open it', path: '/verify-email' },
          note: 'In small print.',
        },
      }),
    );
    const got = await smtp.next((each) => each.recipients.includes(email));
    const url = `http://localhost:4000/verify-email?token=${CANARY}`;
    assert.equal(got.subject, 'Ümlaut & <tags>');
    assert.deepEqual(got.to, [{ name: 'Alex Marlow', address: email }]);
    assert.deepEqual(got.from, { name: 'Cambist', address: 'no-reply@localhost' });
    assert.match(got.raw, /^Auto-Submitted: auto-generated\r$/m);
    const { html = '', text = '' } = got;
    assert.ok(html.includes(`<a href="${url}"`), html);
    for (const words of [
      'Is &lt;b&gt;this&lt;/b&gt; safe?',
      'One &amp; two.',
      '100.00 &lt;USD&gt;',
      'What a mailbox shows',
      '<meta name="color-scheme" content="light dark">',
      '<html lang="en">',
    ]) {
      assert.ok(html.includes(words), words);
    }
    assert.doesNotMatch(html, /<(script|img|link|iframe|form)\b/i);
    for (const words of ['Is <b>this</b> safe?', 'Amount: 100.00 <USD>', url, 'In small print.']) {
      assert.ok(text.includes(words), words);
    }
    await until(async () => (await rowOf(email)).state === 'sent');
    const row = await rowOf(email);
    assert.equal(got.messageId, row.message_id);
    assert.match(row.message_id, /^<[0-9a-f-]{36}@localhost>$/);
    assert.deepEqual([row.attempts, row.last_error], [1, null]);
  });

  it('keeps names and subjects from becoming headers, and from other recipients', async () => {
    const email = 'injected@example.com';
    const evil = 'Eve\r\nBcc: victim@example.com\u2028X-Evil: 1';
    const base = newEmail(email);
    await send({
      ...base,
      to: { ...base.to, name: evil },
      content: { ...base.content, subject: `Hello\r\nBcc: victim@example.com\r\n\r\n<b>` },
    });
    const got = await smtp.next((each) => each.recipients.includes(email));
    assert.deepEqual(got.recipients, [email]);
    assert.equal(got.subject, 'Hello Bcc: victim@example.com <b>');
    assert.deepEqual(
      got.to?.map(({ address }) => address),
      [email],
    );
    assert.ok(!got.headers.some(({ key }) => /^(bcc|x-evil|cc)$/i.test(key)));
  });

  it('is not sent once it has expired', async () => {
    const email = 'late@example.com';
    await send(newEmail(email, { expiresAt: new Date(api.clock.now().getTime() - 1000) }));
    await until(async () => (await rowOf(email)).state === 'failed');
    assert.ok(!smtp.received.some((each) => each.recipients.includes(email)));
    const path = `/api/admin/mail/${(await rowOf(email)).id}/retry`;
    const { status, body } = await admin.post(path);
    assert.deepEqual([status, body.code], [409, 'email_expired']);
    assert.equal((await rowOf(email)).state, 'failed');
    const query = { recipient: email };
    assert.equal((await admin.get('/api/admin/mail', { query })).body.data[0].expired, true);
  });
});

describe('a mail server that refuses', () => {
  it('for now is tried again later, with the same email', async () => {
    const email = 'greylisted@example.com';
    answer = () => {
      throw refusal(451, 'Come back later');
    };
    await send(newEmail(email));
    await until(async () => (await rowOf(email)).last_error !== null);
    const row = await rowOf(email);
    assert.equal(row.state, 'waiting');
    assert.match(row.last_error ?? '', /451 Come back later/);
    answer = null;
    await until(async () => (await jobStates()).includes('retry'));
    await passWaits(api);
    const got = await smtp.next((each) => each.recipients.includes(email));
    assert.equal(got.messageId, row.message_id);
    await until(async () => (await rowOf(email)).state === 'sent');
    assert.equal((await rowOf(email)).attempts, 2);
  });

  it('for good makes the email fail, which an admin retries with its own Message-ID', async () => {
    const email = 'refused@example.com';
    answer = () => {
      throw refusal(550, `No such link http://localhost:4000/x?token=${CANARY} here`);
    };
    const base = newEmail(email, { secret: CANARY });
    await send({
      ...base,
      content: { ...base.content, action: { label: 'Open it', path: '/x' } },
    });
    await until(async () => (await rowOf(email)).state === 'failed');
    const failed = await rowOf(email);
    assert.equal(failed.attempts, 1);
    assert.match(failed.last_error ?? '', /550 No such link .*token=\[secret\] here/);

    const path = `/api/admin/mail/${failed.id}/retry`;
    answer = null;
    const retried = await admin.post(path);
    assert.equal(retried.status, 202, retried.text);
    assert.equal(retried.body.data.message_id, failed.message_id);
    assert.equal(retried.body.data.expired, false);
    const got = await smtp.next((each) => each.recipients.includes(email));
    assert.deepEqual([got.messageId, got.token], [failed.message_id, CANARY]);
    await until(async () => (await rowOf(email)).state === 'sent');
    const again = await admin.post(path);
    assert.deepEqual([again.status, again.body.code], [409, 'email_not_failed']);
    const events = await api.db
      .selectFrom('audit_events')
      .select(['subject_id'])
      .where('action', '=', 'email.retried')
      .execute();
    assert.deepEqual(events, [{ subject_id: failed.id }]);
  });

  it('again and again makes the email fail after the last attempt', async () => {
    const email = 'stubborn@example.com';
    answer = () => {
      throw refusal(451, 'Never today');
    };
    await send(newEmail(email));
    await until(async () => (await jobStates()).includes('retry'));
    // As if all attempts but the last had passed.
    await api.deps.sql`update jobs.job set retry_count = retry_limit - 1 where state = 'retry'`;
    await passWaits(api);
    // The queue of what failed is polled every ten seconds.
    await until(async () => (await rowOf(email)).state === 'failed', 20_000);
    assert.match((await rowOf(email)).last_error ?? '', /451 Never today/);
    answer = null;
  });
});

describe('a mail server that does not answer', () => {
  it('holds up no request, and no email is lost', async (t) => {
    const silence = await startSilence(t);
    const hanging = await startTestApi(t, { jobs: true, env: { MAIL_URL: silence.url } });
    const email = 'patient@example.com';
    for (let count = 0; count < 5; count += 1)
      await send(newEmail(`${count}@example.com`), hanging);
    await send(newEmail(email), hanging);
    await until(() => silence.connections() > 0);
    // A request that waited for the server would be answered after the attempt was given up.
    const givenUp = until(async () => (await rowOf(email, hanging)).last_error !== null, 60_000);
    const first = (request: Promise<unknown>) =>
      Promise.race([request.then(() => 'answered'), givenUp.then(() => 'given up')]);
    assert.equal(await first(hanging.asMember()), 'answered');
    await givenUp;
    const row = await rowOf(email, hanging);
    assert.equal(row.state, 'waiting');
    assert.match(row.last_error ?? '', /greeting|timeout|timed out|abort/i);
  });

  it('at once, but slowly, gets one email', async () => {
    const email = 'slow@example.com';
    // Longer than the connection may take.
    answer = () => sleep(2600);
    await send(newEmail(email));
    await until(async () => (await rowOf(email)).state === 'sent');
    answer = null;
    const got = smtp.received.filter((each) => each.recipients.includes(email));
    assert.equal(got.length, 1);
    assert.equal((await rowOf(email)).attempts, 1);
  });

  it('or is not there leaves the email waiting, and the status says why', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    const there = await startTestApi(t, {
      jobs: true,
      env: { MAIL_URL: `smtp://127.0.0.1:${port}` },
    });
    await send(newEmail('nowhere@example.com'), there);
    await until(async () => (await rowOf('nowhere@example.com', there)).last_error !== null);
    const { client } = await there.asAdmin();
    const { body } = await client.get('/api/admin/mail/status');
    assert.match(body.data.last_error, /ECONNREFUSED/);
    assert.equal(body.data.waiting, 1);
  });
});

describe('the secret of an email', () => {
  it('is sealed while it waits, gone when it is out, and nowhere else', async () => {
    const rows = await api.deps.sql`select row_to_json(emails)::text as words from emails`;
    const list = await admin.get('/api/admin/mail', { query: { per_page: 100 } });
    const jobs = await api.deps
      .sql`select data::text || coalesce(output::text, '') as words from jobs.job`;
    const audit = await api.deps
      .sql`select row_to_json(audit_events)::text as words from audit_events`;
    const everything = JSON.stringify([rows, list.body, jobs, audit, logged]);
    assert.ok(everything.includes('refused@example.com'));
    assert.ok(!everything.includes(CANARY));
    assert.ok(!everything.includes(Buffer.from(CANARY).toString('hex')));
    const sent = await rowOf('whole@example.com');
    assert.equal(sent.secret, null);
  });
});
