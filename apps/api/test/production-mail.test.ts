/** In production letters must be able to go out, or nobody is let in. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError } from '#app/environment.ts';
import { requireMail } from '#app/mail-required.ts';
import * as settings from '#features/content/settings/settings.ts';
import { withDatabase } from '#platform/db/database-url.ts';
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
    assert.match(said, /^MAIL_URL is not set\. In production emails must go out: .*\.\n$/);
  });
});

describe('a start in production', () => {
  it('is refused without a mail server before the database is migrated', async (t) => {
    const { databaseUrl, deps } = await startTestApi(t);
    const name = `cambist_test_${randomUUID().replaceAll('-', '')}`;
    await deps.sql.unsafe(`create database ${name}`);
    const config = { ...deps.config, appEnv: 'production' as const };
    const empty = { ...config, databaseUrl: withDatabase(databaseUrl, name) };
    try {
      for (const each of [empty, { ...config, databaseUrl }, { ...config, databaseUrl: null }])
        await assert.rejects(requireMail(each), (error: unknown) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /^MAIL_URL is not set\./);
          return true;
        });
      await requireMail({ ...empty, appEnv: 'local' });
    } finally {
      await deps.sql.unsafe(`drop database ${name}`);
    }
  });

  it('is let through with a server in the environment or the settings', async (t) => {
    const { databaseUrl, deps } = await startTestApi(t);
    const { config } = await startTestApi(t, { env: { MAIL_URL: 'smtp://127.0.0.1:2525' } }).then(
      (api) => api.deps,
    );
    await requireMail({ ...config, appEnv: 'production', databaseUrl: null });
    const value = { ...settings.settingDefaults.mail, host: 'mail.example.com' };
    await settings.write(deps, 'system', null, 'mail', { version: 0, value });
    await requireMail({ ...deps.config, appEnv: 'production', databaseUrl });
  });
});
