import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { isRunning } from './lock.mjs';
import { makeTestFolder, sweepTestFolders } from './test-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'cambist-sweep-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** A run that has started a database and was killed. Answers its folder and the database's process. */
async function killedRun(): Promise<{ folder: string; serverId: number }> {
  const script = `
    import { makeTestFolder } from ${JSON.stringify(resolve(import.meta.dirname, 'test-folder.ts'))};
    import { startPostgres } from ${JSON.stringify(resolve(import.meta.dirname, 'embedded-postgres.ts'))};
    const { dataDir } = makeTestFolder(${JSON.stringify(root)});
    await startPostgres({ dataDir, fsync: false, log: () => {} });
    process.stdout.write(dataDir);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [dataDir] = await once(child.stdout.setEncoding('utf8'), 'data');
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  child.kill('SIGKILL');
  await once(child, 'close');
  return { folder: resolve(dataDir, '..'), serverId: Number.parseInt(postmaster, 10) };
}

describe('the folder of a test run', () => {
  it('is gone after the run, and tells what tests left in it', () => {
    const { temporary, dataDir, leftBehind, remove } = makeTestFolder(root);
    mkdirSync(join(temporary, 'cambist-api-abcdef'));
    mkdirSync(join(temporary, 'of-a-browser'));
    assert.deepEqual(leftBehind(), ['cambist-api-abcdef']);
    remove();
    assert.equal(existsSync(resolve(dataDir, '..')), false);
  });

  it('is removed by the next run when its own was killed, database and all', async () => {
    const { folder, serverId } = await killedRun();
    assert.equal(existsSync(folder), true);
    assert.deepEqual(await sweepTestFolders(root), [folder]);
    assert.equal(existsSync(folder), false);
    assert.equal(isRunning(serverId), false);
  });

  it('is left alone while its run lives, or when it is not known to be one', async () => {
    const running = makeTestFolder(root);
    const elsewhere = join(root, 'kept');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'owner.lock'), '{"pid":0}');
    symlinkSync(elsewhere, join(root, 'cambist-test-linked'));
    mkdirSync(join(root, 'cambist-test-noLock'));
    mkdirSync(join(root, 'cambist-test-0thers'));
    writeFileSync(join(root, 'cambist-test-0thers/owner.lock'), '{"pid":0}');
    // Only root can give a folder away; for anybody else this one would be swept.
    if (process.getuid?.() === 0) chownSync(join(root, 'cambist-test-0thers'), 65_534, 65_534);
    else rmSync(join(root, 'cambist-test-0thers'), { recursive: true });
    assert.deepEqual(await sweepTestFolders(root), []);
    assert.equal(existsSync(join(elsewhere, 'owner.lock')), true);
    running.remove();
  });
});
