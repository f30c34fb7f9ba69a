/** In production the service does not start without a mail server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError } from '#app/environment.ts';
import { requireForFirstStart } from '#app/first-start.ts';
import { withDatabase } from '#platform/db/database-url.ts';
import { startTestApi } from './harness.ts';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');

describe('the API in production without a mail server', () => {
  it('reports in one sentence what to set, and does not start', async () => {
    const { databaseUrl, deps } = await startTestApi({ after });
    const child = spawn(process.execPath, [MAIN], {
      env: {
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
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
    assert.match(said, /^MAIL_URL is not set\. In production emails must go out: .*\.\n$/);
  });
});

describe('a first start in production', () => {
  it('is refused without a mail server before the database is migrated', async (t) => {
    const { databaseUrl, deps } = await startTestApi(t);
    const name = `cambist_test_${randomUUID().replaceAll('-', '')}`;
    await deps.sql.unsafe(`create database ${name}`);
    const admin = { email: 'admin@desk.example', password: null };
    const config = { ...deps.config, appEnv: 'production' as const, admin };
    const empty = withDatabase(databaseUrl, name);
    try {
      for (const url of [empty, databaseUrl])
        await assert.rejects(requireForFirstStart(config, url), (error: unknown) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /^MAIL_URL is not set\./);
          return true;
        });
      await requireForFirstStart({ ...config, appEnv: 'local' }, empty);
    } finally {
      await deps.sql.unsafe(`drop database ${name}`);
    }
  });
});
