/** The worker dies between the mail server's yes and its own note of it. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '#platform/database.ts';
import { startTestApi } from '#test/harness.ts';
import { startSmtp, until } from '#test/smtp.ts';
import { post } from './mail.ts';
import { jobsOf } from '#platform/feature.ts';
import { mail } from './routes.ts';

describe('a worker that is killed after the server has taken a letter', () => {
  it('loses nothing, and the second delivery is the same letter', async () => {
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
    const victim = fork(join(import.meta.dirname, 'mail.victim.ts'), [
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
          await tx.selectFrom('letters').select('id').forUpdate().execute();
          held();
          await rowIsHeld;
        });
      });
    };
    await transaction(api.db, (tx) =>
      post(api.deps, tx, {
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
    const find = () => api.db.selectFrom('letters').selectAll().executeTakeFirstOrThrow();
    assert.equal((await find()).state, 'waiting');

    // As if the time without a heartbeat, and the letter's lease, had passed.
    const { sql } = api.deps;
    await sql`update jobs.job set heartbeat_on = now() - interval '31 seconds' where name = 'letters'`;
    await api.deps.jobs.start(jobsOf([mail], api.deps));
    await until(
      async () => (await sql`select from jobs.job where state = 'retry'`).length > 0,
      20_000,
    );
    await sql`update letters set next_attempt_at = now() - interval '1 second'`;
    await sql`update jobs.job set start_after = now() where name = 'letters'`;
    await transaction(api.db, (tx) => api.deps.notices.notify(tx, 'jobs', { queue: 'letters' }));
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
