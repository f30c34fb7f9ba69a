import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { VARIABLES } from '../apps/api/src/environment.ts';

const START = resolve(import.meta.dirname, 'start.ts');
const folder = mkdtempSync(join(tmpdir(), 'cambist-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** With these variables and no others: what is empty counts as unset, in the shell's and in a developer's .env. */
function only(environment: Record<string, string>) {
  const unset = Object.fromEntries(VARIABLES.map((name) => [name, '']));
  return { ...process.env, ...unset, NO_COLOR: '1', ...environment };
}

/** `npm start` in production. */
function start(environment: Record<string, string>) {
  const { status, stderr } = spawnSync(process.execPath, [START], {
    env: only({ APP_ENV: 'production', ...environment }),
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('a first start in production', () => {
  it('says that ADMIN_EMAIL is missing before it seeds anything', () => {
    const { status, stderr } = start({ DATA_DIR: join(folder, 'data') });
    assert.match(stderr, /^ADMIN_EMAIL is not set; it names the first admin of a new desk\..*\n$/);
    assert.equal(status, 1);
  });

  it('says that MAIL_URL is missing before it seeds anything', () => {
    const environment = { DATA_DIR: join(folder, 'other'), ADMIN_EMAIL: 'admin@example.com' };
    const { status, stderr } = start(environment);
    assert.match(stderr, /^MAIL_URL is not set\. In production emails must go out: .*\n$/);
    assert.equal(status, 1);
  });
});
