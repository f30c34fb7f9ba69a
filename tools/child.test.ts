import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startChild } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'cambist-child-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, logFile: string) =>
  startChild({
    command: [process.execPath, '--eval', script],
    env: process.env,
    logFile,
    stopSteps: [],
  }).ended;

describe('the log of a program that goes on running', () => {
  it('is whole, and in several files when it is large', async () => {
    const logs = join(folder, 'large');
    const line = 'x'.repeat(99);
    const script = `for (let n = 0; n < 250000; n += 1) console.log('${line}');`;
    assert.deepEqual((await run(script, join(logs, 'api.log'))).at(-1), 'It ended with 0.');
    const files = readdirSync(logs).filter((name) => name.endsWith('api.log'));
    assert.ok(files.length >= 2, files.join());
    const sizes = files.map((name) => statSync(join(logs, name)).size);
    assert.ok(
      sizes.every((size) => size < 12_000_000),
      sizes.join(),
    );
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      25_000_000,
    );
    assert.equal(statSync(join(logs, 'api.log')).mode & 0o777, 0o600);
  });

  it('goes on after a restart', async () => {
    const file = join(folder, 'again', 'api.log');
    await run(`console.log('one')`, file);
    await run(`console.error('two')`, file);
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
  });

  it('does not stop the program where it cannot be written', async () => {
    const file = join(folder, 'blocked', 'api.log');
    mkdirSync(file, { recursive: true });
    const lines = await run(`console.log('one'); setTimeout(() => console.log('two'), 50)`, file);
    assert.deepEqual(lines, ['one', 'two', 'It ended with 0.']);
  });
});
