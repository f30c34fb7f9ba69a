import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

let root: string;
const at = (path: string) => join(root, path);

/** A checkout with the bootstrap, one command and an npm that notes what it was asked for. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cambist-bootstrap-'));
  for (const folder of ['tools', 'bin', 'node_modules/.bin'])
    mkdirSync(at(folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'bootstrap.mjs'), at('tools/bootstrap.mjs'));
  symlinkSync(process.execPath, at('node_modules/.bin/node'));
  writeFileSync(at('node_modules/.package-lock.json'), '{}');
  writeFileSync(at('package-lock.json'), '{}');
  changed('package-lock.json', -60);
  writeFileSync(
    at('tools/other-one.ts'),
    'console.log(process.argv.slice(2).join()); process.exitCode = 3;',
  );
  npm('echo "$*" > asked');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function changed(path: string, seconds: number) {
  const time = Date.now() / 1000 + seconds;
  utimesSync(at(path), time, time);
}

function npm(commands: string) {
  writeFileSync(at('bin/npm'), `#!/bin/sh\n${commands}\n`, { mode: 0o755 });
}

function run(command: string, ...words: string[]) {
  const { npm_execpath: _, ...env } = process.env;
  const path = `${at('bin')}:${env['PATH']}`;
  return spawnSync(process.execPath, [at('tools/bootstrap.mjs'), command, ...words], {
    cwd: root,
    env: { ...env, PATH: path },
    encoding: 'utf8',
  });
}

describe('the bootstrap', () => {
  it('runs a command on its words and ends with its code, without an installation', () => {
    const { status, stdout } = run('other:one', '--fast', 'x');
    assert.deepEqual([status, stdout], [3, '--fast,x\n']);
    assert.equal(existsSync(at('asked')), false);
    assert.match(run('missing').stderr, /^There is no command "missing"/);
  });

  it('installs once when the lockfile is newer than the installation, or there is none', () => {
    for (const outdate of [
      () => changed('package-lock.json', 60),
      () => rmSync(at('node_modules/.package-lock.json')),
    ]) {
      outdate();
      npm(
        'echo "$*" > asked; [ -f node_modules/.package-lock.json ] || echo {} > node_modules/.package-lock.json',
      );
      assert.equal(run('other:one').status, 3);
      assert.equal(existsSync(at('asked')), true);
      rmSync(at('asked'));
      assert.equal(run('other:one').status, 3);
      assert.equal(existsSync(at('asked')), false);
    }
  });

  it('ends with the code of an installation that failed, or that left Node out', () => {
    changed('package-lock.json', 60);
    npm('exit 5');
    const failed = run('other:one');
    assert.equal(failed.status, 5);
    assert.match(failed.stderr, /npm could not install the dependencies/);
    npm('rm node_modules/.bin/node');
    const partly = run('other:one');
    assert.equal(partly.status, 1);
    assert.match(partly.stderr, /npm left out the Node that Cambist runs on/);
  });
});
