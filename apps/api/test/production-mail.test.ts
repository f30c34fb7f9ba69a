/** In production letters must be able to go out, or nobody is let in. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { startTestApi } from './harness.ts';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');

describe('the API in production without a mail server', () => {
  it('says in one sentence what to set, and does not start', async () => {
    const { databaseUrl, deps } = await startTestApi({ after });
    const child = spawn(process.execPath, [MAIN], {
      env: {
        APP_ENV: 'production',
        APP_KEY: `base64:${deps.config.appKey?.toString('base64')}`,
        DATABASE_URL: databaseUrl,
        DATA_DIR: deps.config.dataDir,
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = await once(child, 'close');
    assert.equal(code, 1);
    assert.match(said, /^MAIL_URL is not set\. In production letters must go out: .*\.\n$/);
  });
});
