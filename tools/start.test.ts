import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { VARIABLES } from '../apps/api/src/environment.ts';
import { ROOT } from './configuration.ts';
import { freePort } from './ports.ts';

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
  const { status, stdout, stderr } = spawnSync(process.execPath, [START], {
    env: only({ APP_ENV: 'production', ...environment }),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm start in production', () => {
  it('says that ADMIN_EMAIL is missing before it has made anything', () => {
    const dataDir = join(folder, 'data');
    const { status, stdout, stderr } = start({ DATA_DIR: dataDir });
    assert.match(stderr, /^ADMIN_EMAIL is not set; it names the first admin of a new desk\..*\n$/);
    assert.equal(stdout, '');
    assert.equal(status, 1);
    assert.equal(existsSync(dataDir), false);
  });

  it('says that MAIL_URL is missing before it has made anything', () => {
    const dataDir = join(folder, 'other');
    const environment = { DATA_DIR: dataDir, ADMIN_EMAIL: 'admin@example.com' };
    const { status, stdout, stderr } = start(environment);
    assert.match(stderr, /^MAIL_URL is not set\. In production letters must go out: .*\n$/);
    assert.equal(stdout, '');
    assert.equal(status, 1);
    assert.equal(existsSync(dataDir), false);
  });
});

describe('npm start', () => {
  it('is known to run with the dependencies of its checkout while it does', async () => {
    // Takes the connection and says nothing, so that the start waits for the database.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const child = spawn(process.execPath, [START], {
      env: only({
        DATA_DIR: join(folder, 'running'),
        DATABASE_URL: `postgres://cambist@127.0.0.1:${port}/cambist`,
        API_LISTEN: `127.0.0.1:${await freePort()}`,
        WEB_LISTEN: `127.0.0.1:${await freePort()}`,
      }),
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    const note = join(ROOT, '.cache', 'running', `${child.pid}.lock`);
    const [socket] = await Promise.race([once(silent, 'connection'), ended]);
    const isNoted = existsSync(note);
    child.kill('SIGTERM');
    if (socket instanceof Socket) socket.destroy();
    await ended;
    silent.close();
    assert.equal(isNoted, true);
    assert.equal(existsSync(note), false);
  });
});
