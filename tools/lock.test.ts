import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { holderOf, isRunning, Locked, takeLock } from './lock.mjs';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cambist-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MODULE = JSON.stringify(join(import.meta.dirname, 'lock.mjs'));

function child(code: string) {
  const words = ['--input-type=module', '-e', `import { takeLock } from ${MODULE}; ${code}`, path];
  return spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('takeLock', () => {
  it('refuses a second holder and names the first', () => {
    const lock = takeLock(path, 'http://localhost:4000');
    assert.throws(
      () => takeLock(path, 'another'),
      (error) =>
        error instanceof Locked &&
        error.holder.pid === process.pid &&
        error.holder.note === 'http://localhost:4000',
    );
    lock.release();
    lock.release();
    assert.equal(existsSync(path), false);
    takeLock(path, 'another').release();
  });

  it('leaves no other files behind', () => {
    const lock = takeLock(path, '');
    assert.deepEqual(readdirSync(folder), ['lock']);
    lock.release();
  });

  it('takes over from a holder that was killed', async () => {
    const holder = child(
      "takeLock(process.argv[1], 'child'); console.log('held'); setInterval(() => {}, 1000)",
    );
    await once(holder.stdout, 'data');
    assert.equal(holderOf(path)?.pid, holder.pid);
    assert.throws(() => takeLock(path, ''), Locked);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    assert.equal(holderOf(path), null);
    takeLock(path, '').release();
  });

  it(
    'takes over when the holder’s id belongs to another process now',
    { skip: process.platform !== 'linux' },
    () => {
      writeFileSync(path, JSON.stringify({ pid: process.ppid, born: 'another boot:1', note: '' }));
      assert.equal(holderOf(path), null);
      takeLock(path, '').release();
    },
  );

  it('takes over a file that is no lock', () => {
    writeFileSync(path, '{"pid":');
    takeLock(path, '').release();
  });

  it('is given to one of many who find a dead holder', async () => {
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, born: '', note: '' }));
    const code = `process.stdin.once('data', () => {
      try { takeLock(process.argv[1], ''); console.log('won'); setTimeout(() => {}, 1500) }
      catch { console.log('lost'); process.exit() }
    }); console.log('here')`;
    const children = Array.from({ length: 6 }, () => child(code));
    await Promise.all(children.map((one) => once(one.stdout, 'data')));
    const answers = children.map(async (one) => {
      const answer = once(one.stdout, 'data');
      one.stdin.end('go');
      return String((await answer)[0]).trim();
    });
    const outcomes = await Promise.all(answers);
    assert.deepEqual(outcomes.toSorted(), ['lost', 'lost', 'lost', 'lost', 'lost', 'won']);
    for (const one of children) one.kill();
  });
});

describe('isRunning', () => {
  it('knows the living from the dead', async () => {
    const one = child('setInterval(() => {}, 1000)');
    assert.equal(isRunning(one.pid ?? 0), true);
    one.kill('SIGKILL');
    await once(one, 'close');
    assert.equal(isRunning(one.pid ?? 0), false);
  });
});
