import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Locked, takeLock } from './lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cambist-lock-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const MODULE = JSON.stringify(join(import.meta.dirname, 'lock.ts'));

describe('a lock', () => {
  it('refuses a second holder with the words of the first, until it is released', async () => {
    const lock = await takeLock(folder, 'one', 'http://localhost:4000');
    await assert.rejects(takeLock(folder, 'one', 'another'), (error) => {
      assert.ok(error instanceof Locked);
      assert.equal(error.message, `http://localhost:4000 (process ${process.pid})`);
      return true;
    });
    (await takeLock(folder, 'two', 'of another name')).release();
    lock.release();
    (await takeLock(folder, 'one', 'another')).release();
  });

  it('passes from a process that was killed to the next one', async () => {
    const code = `import { takeLock } from ${MODULE};
      await takeLock(process.argv[1], 'one', 'a child'); console.log('locked'); setInterval(() => {}, 1000)`;
    const words = ['--input-type=module', '-e', code, folder];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await assert.rejects(takeLock(folder, 'one', 'us'), {
      message: `a child (process ${child.pid})`,
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    assert.deepEqual(readdirSync(join(folder, 'run')), ['one.lock']);
    (await takeLock(folder, 'one', 'us')).release();
  });
});
