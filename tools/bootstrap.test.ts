/** When the script that every command begins in installs the dependencies. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isInstalled, markInstalled } from './installed.mjs';

type Packages = Record<string, Record<string, unknown>>;

const WORKSPACE = { resolved: 'apps/api', link: true };
const FOREIGN = {
  optional: true,
  version: '26.1.0',
  integrity: 'f',
  os: ['sunos'],
  cpu: ['ppc64'],
};
/** What npm puts into the folder of this lockfile here. */
const THERE: Packages = {
  'apps/api': { name: '@cambist/api', version: '0.1.0', dependencies: { money: '1.2.0' } },
  'node_modules/@cambist/api': WORKSPACE,
  'node_modules/money': { version: '1.2.0', integrity: 'm' },
  'node_modules/posix': { version: '1.0.0', integrity: 'p', os: ['!win32'] },
  'node_modules/node-here': {
    optional: true,
    version: '26.1.0',
    integrity: 'n',
    os: process.platform,
    cpu: [process.arch],
  },
};
const LOCKED: Packages = { '': { name: 'cambist' }, 'node_modules/node-there': FOREIGN, ...THERE };
let root: string;

/** A checkout with nothing but the scripts and a command, installed by `npm ci`. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cambist-bootstrap-'));
  mkdirSync(join(root, 'tools'));
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  for (const name of ['bootstrap.mjs', 'installed.mjs', 'lock.mjs'])
    copyFileSync(join(import.meta.dirname, name), join(root, 'tools', name));
  symlinkSync(process.execPath, join(root, 'node_modules', '.bin', 'node'));
  lock(LOCKED);
  record(THERE);
  writeFileSync(join(root, 'bin', 'npm'), '#!/bin/sh\ntouch installed\n', { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function lock(packages: Packages) {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

/** What npm says that it has installed. */
function record(packages: Packages) {
  const path = join(root, 'node_modules', '.package-lock.json');
  writeFileSync(path, JSON.stringify({ packages }));
}

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

/** Whether a command that is run now has the dependencies installed first. */
function installs(): boolean {
  const mark = join(root, 'installed');
  rmSync(mark, { force: true });
  run('other', '');
  return existsSync(mark);
}

describe('the dependencies', () => {
  it('are not installed again after npm ci, which leaves out what is for other machines', () => {
    assert.equal(installs(), false);
  });

  it('may have been described by another npm', () => {
    const { 'node_modules/money': money, ...others } = THERE;
    record({ ...others, 'node_modules/money': { ...money, dev: true, libc: ['glibc'] } });
    assert.equal(isInstalled(root), true);
  });

  it('are to be installed where they are not those of the lockfile', () => {
    const { 'node_modules/money': money, ...others } = THERE;
    const stale: Record<string, Packages> = {
      'another version': { ...THERE, 'node_modules/money': { ...money, version: '1.1.0' } },
      'another content': { ...THERE, 'node_modules/money': { ...money, integrity: 'other' } },
      'one is missing': others,
      'one too many': { ...THERE, 'node_modules/more': { version: '1.0.0', integrity: 'x' } },
      'a link to elsewhere': {
        ...THERE,
        'node_modules/@cambist/api': { ...WORKSPACE, resolved: 'apps/old' },
      },
      'of another machine': { ...THERE, 'node_modules/node-there': FOREIGN },
    };
    for (const [what, packages] of Object.entries(stale)) {
      record(packages);
      assert.equal(isInstalled(root), false, what);
    }
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{"packages":');
    assert.equal(isInstalled(root), false, 'a record that was broken off');
  });

  it('are to be installed where the pinned Node is not there', () => {
    rmSync(join(root, 'node_modules', '.bin', 'node'));
    assert.equal(isInstalled(root), false);
  });

  it('are those of our own installation whatever it left out, until npm changes them', () => {
    const { 'node_modules/money': _, ...others } = THERE;
    record(others);
    markInstalled(root);
    assert.equal(isInstalled(root), true);
    record({ ...others, 'node_modules/money': { version: '1.1.0', integrity: 'old' } });
    assert.equal(isInstalled(root), false);
  });

  it('are not taken away from under a Cambist that runs with them', async () => {
    const running = await runningCambist();
    assert.equal(run('other', 'process.exit(3)').status, 3);
    lock({ ...LOCKED, 'node_modules/newer': { version: '1.0.0', integrity: 'x' } });
    const { status, stderr } = run('other', 'process.exit(3)');
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^The dependencies are not those of package-lock\.json .* runs with them on http:\/\/localhost:4000 \(process \d+\)\. Stop it first, then run this command again\.\n$/,
    );
    assert.equal(existsSync(join(root, 'installed')), false);
    running.kill('SIGKILL');
    await once(running, 'close');
    assert.equal(installs(), true);
  });
});

/** A process that notes that it runs from the checkout. */
async function runningCambist() {
  const code = `import { noteRunning } from ${JSON.stringify(join(root, 'tools', 'installed.mjs'))};
    noteRunning(process.argv[1], 'http://localhost:4000'); console.log('noted'); setInterval(() => {}, 1000)`;
  const words = ['--input-type=module', '-e', code, root];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}
