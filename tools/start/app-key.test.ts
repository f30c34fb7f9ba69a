import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import postgres from 'postgres';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import { testDatabase } from '../../apps/api/test/database.ts';
import { createEnvFile, holdsSealedValues } from './app-key.ts';
import { loadConfiguration, ROOT } from '../configuration.ts';

describe('createEnvFile', () => {
  const root = mkdtempSync(join(tmpdir(), 'cambist-key-'));
  after(() => rmSync(root, { recursive: true }));
  copyFileSync(join(ROOT, '.env.example'), join(root, '.env.example'));

  it('makes a private .env with a key that can be used, and never a second one', async () => {
    assert.equal(await createEnvFile(root), true);
    assert.equal(statSync(join(root, '.env')).mode & 0o777, 0o600);
    const first = readFileSync(join(root, '.env'), 'utf8');
    const { config, notes } = loadConfiguration({ env: { DATA_DIR: join(root, 'data') }, root });
    assert.equal(config.appKey?.length, 32);
    assert.deepEqual(notes, []);
    assert.equal(await createEnvFile(root), false);
    assert.equal(readFileSync(join(root, '.env'), 'utf8'), first);
  });
});

describe('holdsSealedValues', () => {
  it('finds a sealed setting', async (context) => {
    const url = await testDatabase(context);
    assert.equal(await holdsSealedValues(url), false);
    const sql = postgres({ ...connectionOptions(url), max: 1 });
    await sql`insert into setting_secrets (slug, name, sealed, last_four) values ('a', 'b', 'c', 'd')`;
    await sql.end();
    assert.equal(await holdsSealedValues(url), true);
  });
});
