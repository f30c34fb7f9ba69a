import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { openFiles } from './files.ts';

const root = mkdtempSync(join(tmpdir(), 'cambist-files-'));
after(() => rmSync(root, { recursive: true, force: true }));
const files = openFiles(root);
const inFolder = (name = '') => join(root, 'some/proofs', name);
const words = Buffer.from('a proof of payment');

async function* chunks(...parts: (Buffer | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

describe('receiving a file', () => {
  it('counts, hashes and stores it under a random name, readable only by the process', async () => {
    const incoming = await files.receive('some/proofs', chunks(words, words), 100);
    assert.deepEqual([incoming.sizeBytes, incoming.tooLarge], [36, false]);
    assert.deepEqual(incoming.sha256, createHash('sha256').update(words).update(words).digest());
    const name = await incoming.keep('jpg');
    assert.match(name, /^[0-9a-f]{32}\.jpg$/);
    assert.deepEqual(readdirSync(inFolder()), [name]);
    assert.equal(statSync(inFolder(name)).mode & 0o777, 0o600);
    assert.equal(statSync(inFolder()).mode & 0o777, 0o700);
    const open = await files.open('some/proofs', name);
    assert.equal(open?.sizeBytes, 36);
    assert.equal(await files.size('some/proofs', name), 36);
    assert.equal(
      Buffer.concat(await (open?.stream.toArray() ?? [])).toString(),
      words.toString().repeat(2),
    );
    await files.remove('some/proofs', name);
    await files.remove('some/proofs', name);
    assert.equal(await files.open('some/proofs', name), null);
    assert.equal(await files.size('some/proofs', name), null);
  });

  it('reads a file that is too large to its end, but does not write it', async () => {
    const incoming = await files.receive('some/proofs', chunks(words, words, words), 20);
    assert.deepEqual([incoming.sizeBytes, incoming.tooLarge], [54, true]);
    assert.equal(readFileSync(incoming.path).byteLength, 18);
    await incoming.discard();
    await incoming.discard();
    assert.deepEqual(readdirSync(inFolder()), []);
  });

  it('leaves no file of a broken stream', async () => {
    const broken = files.receive('some/proofs', chunks(words, new Error('gone')), 100);
    await assert.rejects(broken, /gone/);
    assert.deepEqual(readdirSync(inFolder()), []);
  });
});

describe('a disk that fails', () => {
  /** Every file that is opened fails so. */
  async function breakHandles(t: TestContext, method: 'writeFile' | 'sync', code: string) {
    const handle = await open(root, 'r');
    t.mock.method(Object.getPrototypeOf(handle) as FileHandle, method, async () => {
      throw Object.assign(new Error(`${code}: broken`), { code });
    });
    await handle.close();
  }

  for (const [method, code] of [
    ['writeFile', 'ENOSPC'],
    ['sync', 'EDQUOT'],
  ] as const) {
    it(`fails and leaves no file when ${method} fails`, async (t) => {
      const before = readdirSync(inFolder());
      await breakHandles(t, method, code);
      await assert.rejects(files.receive('some/proofs', chunks(words), 100), { code });
      assert.deepEqual(readdirSync(inFolder()), before);
    });
  }

  it('leaves no file whose final name cannot be synced', async (t) => {
    const before = readdirSync(inFolder());
    const incoming = await files.receive('some/proofs', chunks(words), 100);
    await breakHandles(t, 'sync', 'ENOSPC');
    await assert.rejects(incoming.keep('jpg'), { code: 'ENOSPC' });
    assert.deepEqual(readdirSync(inFolder()), before);
  });

  it('reports the first failure when cleaning up fails too', async () => {
    const incoming = await files.receive('lost', chunks(words), 100);
    rmSync(join(root, 'lost'), { recursive: true });
    writeFileSync(join(root, 'lost'), 'a file where the folder was');
    await assert.rejects(incoming.keep('jpg'), { code: 'ENOTDIR', syscall: 'rename' });
    await incoming.discard();
  });
});

describe('opening a file', () => {
  it('accepts only generated names, and follows no link', async () => {
    for (const name of [
      '../secret.txt',
      '/etc/passwd',
      'a.jpg',
      `${'a'.repeat(32)}.jpg/../x`,
      '',
    ]) {
      await assert.rejects(files.open('some/proofs', name), /random name/, name);
    }
    writeFileSync(join(root, 'secret.txt'), 'secret');
    const link = `${'b'.repeat(32)}.jpg`;
    symlinkSync(join(root, 'secret.txt'), inFolder(link));
    await assert.rejects(files.open('some/proofs', link), { code: 'ELOOP' });
    rmSync(inFolder(link));
  });

  it('lists the files of a folder, also one that does not exist yet', async () => {
    assert.deepEqual(await files.list('nothing/yet'), []);
    const name = await files.save('some/proofs', words, 'pdf');
    const [only] = await files.list('some/proofs');
    assert.equal(only?.name, name);
    assert.ok(Math.abs((only?.changedAt.getTime() ?? 0) - Date.now()) < 10_000);
  });

  it('returns the free space of their disk', async () => {
    const { bavail, bsize } = statfsSync(root);
    const freeBytes = await files.freeBytes();
    // Others write to the same disk meanwhile.
    assert.ok(Math.abs(freeBytes - bavail * bsize) < 2 ** 30, String(freeBytes));
    assert.ok(freeBytes > 0);
  });
});
