/** `npm run mail:bounce`, as a mail server starts it: its codes, its words, and what it reads at most. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newId } from '../apps/api/src/kernel/id.ts';
import { bounceAddress } from '../apps/api/src/features/mail/bounce-address.ts';
import { message, postfixReport } from '../apps/api/test/reports.ts';
import { openCampaigns } from '../apps/api/test/campaigns.ts';

const TOOL = resolve(import.meta.dirname, 'mail-bounce.ts');
const { api, readers, draft, send, pumped, stateOf, lettersTo } = await openCampaigns(
  { after },
  { MAIL_BOUNCES: 'bounces@desk.test' },
);
const { appKey, dataDir } = api.deps.config;
const env = {
  APP_KEY: `base64:${appKey?.toString('base64')}`,
  DATA_DIR: dataDir,
  DATABASE_URL: api.databaseUrl,
};

async function run(chunks: Iterable<Buffer>, change: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [TOOL], { env: { ...process.env, ...env, ...change } });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = new Promise<number | null>((end) => child.once('close', end));
  for (const chunk of chunks) {
    if (!child.stdin.write(chunk))
      await new Promise((drained) => child.stdin.once('drain', drained));
  }
  child.stdin.end();
  return { code: await ended, words };
}

describe('a message to the address for bounces', () => {
  it('that returns a letter is taken, however large the letter is', async () => {
    const [recipient = ''] = await readers('ma', 1);
    const { id, version } = await draft({ locale: 'ma' });
    await send({ id, version }, 1);
    await pumped(id, ({ state }) => state === 'sent');
    const to = lettersTo([recipient])[0]?.envelopeSender ?? '';
    const report = postfixReport({ to, recipient });
    const more = Array<Buffer>(30).fill(Buffer.alloc(1024 * 1024, 'QUJD'));
    const first = await run([report.subarray(0, report.lastIndexOf('--4F2B')), ...more]);
    assert.deepEqual([first.code, first.words.includes('no such mailbox')], [0, true], first.words);
    assert.equal(await stateOf(recipient), 'bounced');
    const second = await run([report]);
    assert.deepEqual([second.code, second.words], [0, 'This was known already.\n']);
    for (const { words } of [first, second]) assert.ok(!words.includes('@'), words);
  });

  it('that is none is dropped, so that nobody whose name it bears is written to', async () => {
    const bare = 'bounces@desk.test';
    const own = bounceAddress(api.deps.keys, bare, newId());
    const recipient = 'ana@example.com';
    for (const [raw, said] of [
      [message(bare, ['Subject: Hello']), /about no letter/],
      [message(bare, ['Auto-Submitted: auto-replied']), /about no letter/],
      [postfixReport({ to: bare, recipient }), /about no letter/],
      [Buffer.alloc(0), /about no letter/],
      [message(own, ['Subject: Hello']), /Nobody reads it/],
      [message(own, ['Auto-Submitted: auto-replied']), /A machine wrote this/],
      // What comes after the beginning is not looked at.
      [
        Buffer.concat([Buffer.alloc(300_000, 'a\n'), postfixReport({ to: own, recipient })]),
        /about/,
      ],
    ] as const) {
      const { code, words } = await run([raw]);
      assert.equal(code, 0, words);
      assert.match(words, said);
    }
  });

  it('is to be brought again where something is not as it should be', async () => {
    const to = bounceAddress(api.deps.keys, 'bounces@desk.test', newId());
    const raw = postfixReport({ to, recipient: 'ana@example.com' });
    assert.equal((await run([raw])).code, 0);
    for (const change of [
      { APP_KEY: '' },
      { DATABASE_URL: '' },
      { DATABASE_URL: 'postgres://a@127.0.0.1:1/a' },
      { SESSION_LIFETIME: 'never' },
    ]) {
      const { code, words } = await run([raw], change);
      assert.equal(code, 75, JSON.stringify(change));
      assert.equal(words, 'Not taken yet. Bring this message again later.\n');
    }
    const log = readFileSync(join(dataDir, 'logs', 'mail-bounce.log'), 'utf8');
    for (const why of [/APP_KEY is not set/, /Cambist does not run/, /SESSION_LIFETIME/])
      assert.match(log, why);
  });
});
