/** What a mail server is answered by the script that every command begins in, whatever becomes of the command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

const LOCKFILE = '{}';
let root: string;

/** A checkout with nothing but the script and a command, installed for its lockfile. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cambist-bootstrap-'));
  mkdirSync(join(root, 'tools'));
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  for (const name of ['bootstrap.mjs', 'lock.mjs'])
    copyFileSync(join(import.meta.dirname, name), join(root, 'tools', name));
  symlinkSync(process.execPath, join(root, 'node_modules', '.bin', 'node'));
  writeFileSync(join(root, 'package-lock.json'), LOCKFILE);
  const hash = createHash('sha256').update(LOCKFILE).digest('hex');
  const marker = `${hash} ${process.platform}-${process.arch}\n`;
  writeFileSync(join(root, 'node_modules', '.cambist-lockfile'), marker);
  writeFileSync(join(root, 'bin', 'npm'), '#!/bin/sh\ntouch installed\n', { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(command: string, code: string) {
  writeFileSync(join(root, 'tools', `${command.replace(':', '-')}.ts`), code);
  const { npm_execpath: _, ...env } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'tools', 'bootstrap.mjs'), command],
    { encoding: 'utf8', env: { ...env, PATH: `${join(root, 'bin')}:${env['PATH'] ?? ''}` } },
  );
  return { status, stderr };
}

describe('the command of a mail server', () => {
  it('ends with 0 or with 75', () => {
    for (const [code, status] of [
      ['process.exit(0)', 0],
      ['process.exit(75)', 75],
      ['process.exit(1)', 75],
      ['process.exit(65)', 75],
      ['process.kill(process.pid, "SIGKILL")', 75],
      ['process.kill(process.pid, "SIGTERM")', 75],
      ['import "./missing.ts";', 75],
    ] as const) {
      assert.equal(run('mail:bounce', code).status, status, code);
    }
    assert.equal(run('other', 'process.exit(3)').status, 3);
  });

  it('installs nothing, and says nothing of the machine', () => {
    writeFileSync(join(root, 'package-lock.json'), '{ "newer": true }');
    const { status, stderr } = run('mail:bounce', 'process.exit(0)');
    assert.equal(status, 75);
    assert.match(stderr, /^Not taken yet: [^/]+\n$/);
    assert.ok(!existsSync(join(root, 'installed')));
    run('other', '');
    assert.ok(existsSync(join(root, 'installed')));
  });
});
