/** The worker dies between the mail server's yes and its own note of it. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '#platform/db/database.ts';
import { startTestApi } from '#test/harness.ts';
import { startSmtp, until } from '#test/fakes/smtp.ts';
import { enqueueEmail } from './email.ts';
import { jobsOf } from '#platform/feature.ts';
import { email } from './routes.ts';

describe('a worker that is killed after the server has accepted an email', () => {
  it('loses nothing, and the second delivery is the same email', async () => {
    let taking: (() => Promise<void>) | null = null;
    const smtp = await startSmtp({ after }, { accept: () => taking?.() });
    const api = await startTestApi({ after }, { env: { MAIL_URL: smtp.url } });
    const { appKey, dataDir, frontendUrl } = api.deps.config;
    const environment = {
      APP_KEY: `base64:${appKey?.toString('base64')}`,
      DATA_DIR: dataDir,
      FRONTEND_URL: frontendUrl,
      MAIL_URL: smtp.url,
      LOG_LEVEL: 'silent',
    };
    const victim = fork(join(import.meta.dirname, 'crash.victim.ts'), [
      api.databaseUrl,
      JSON.stringify(environment),
    ]);
    const died = once(victim, 'exit');
    await once(victim, 'message');

    // Who holds the row keeps the note from being written, while the server says yes.
    let freeRow: () => void = () => undefined;
    const rowIsHeld = new Promise<void>((resolve) => (freeRow = resolve));
    let holding: Promise<unknown> = Promise.resolve();
    taking = async () => {
      await new Promise<void>((held) => {
        holding = api.db.transaction().execute(async (tx) => {
          await tx.selectFrom('emails').select('id').forUpdate().execute();
          held();
          await rowIsHeld;
        });
      });
    };
    await transaction(api.db, (tx) =>
      enqueueEmail(api.deps, tx, {
        kind: 'test-kind',
        to: { email: 'twice@example.com', userId: null, name: 'Alex', locale: 'en', proved: true },
        content: {
          subject: 'Once or twice',
          preview: '',
          heading: 'Hello',
          paragraphs: ['Words.'],
          action: { label: 'Open', path: '/reset-password' },
        },
        secret: 'token-0123456789',
      }),
    );
    await until(() => smtp.received.length === 1);
    await sleep(100);
    victim.kill('SIGKILL');
    await died;
    freeRow();
    await holding;
    taking = null;
    const find = () => api.db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
    assert.equal((await find()).state, 'waiting');

    // As if the time without a heartbeat had passed.
    const { sql } = api.deps;
    await sql`update jobs.job set heartbeat_on = now() - interval '31 seconds' where name = 'emails'`;
    await api.deps.jobs.start(jobsOf([email], api.deps));
    await until(
      async () => (await sql`select from jobs.job where state = 'retry'`).length > 0,
      20_000,
    );
    await transaction(api.db, (tx) => api.deps.jobs.retryNow(tx, 'emails'));
    await until(async () => (await find()).state === 'sent', 20_000);
    await api.deps.jobs.stop();

    const [first, second] = smtp.received;
    assert.equal(smtp.received.length, 2);
    const { message_id, attempts } = await find();
    assert.deepEqual([first?.messageId, second?.messageId], [message_id, message_id]);
    assert.deepEqual([first?.text, first?.date], [second?.text, second?.date]);
    assert.equal(attempts, 2);
  });
});
