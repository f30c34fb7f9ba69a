import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { VARIABLES } from '../apps/api/src/environment.ts';

const START = resolve(import.meta.dirname, 'start.ts');
const folder = mkdtempSync(join(tmpdir(), 'cambist-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('npm start in production without ADMIN_EMAIL', () => {
  it('says so before it has made anything', () => {
    const dataDir = join(folder, 'data');
    // What is empty counts as unset, so that neither the shell nor a developer's .env takes part.
    const unset = Object.fromEntries(VARIABLES.map((name) => [name, '']));
    const { status, stdout, stderr } = spawnSync(process.execPath, [START], {
      env: { ...process.env, ...unset, APP_ENV: 'production', DATA_DIR: dataDir, NO_COLOR: '1' },
      encoding: 'utf8',
    });
    assert.match(stderr, /^ADMIN_EMAIL is not set; it names the first admin of a new desk\..*\n$/);
    assert.equal(stdout, '');
    assert.equal(status, 1);
    assert.equal(existsSync(dataDir), false);
  });
});
