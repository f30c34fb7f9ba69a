import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROOT } from './configuration.ts';
import { emptyReport, summary } from './test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'cambist-report-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILE = join(folder, 'sample.mjs');
const SAMPLE = `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
describe('a purse', () => {
  describe('when empty', () => {
    it('opens', () => {});
    it('holds nothing', () => assert.equal(1, 2));
    it('is for later', { skip: true }, () => {});
  });
});
it('throws', () => { throw new TypeError('No purse.\\nNone at all.'); });
`;
const SCRIPT = `
import { runFiles, summary } from ${JSON.stringify(resolve(import.meta.dirname, 'test-report.ts'))};
const { signal } = new AbortController();
const report = await runFiles({ files: [${JSON.stringify(FILE)}], concurrency: 1, signal, each: true });
for (const line of summary(report)) console.log(line);
`;

describe('the report of a test run', () => {
  it('names at its end every test that failed, where, and why', () => {
    writeFileSync(FILE, SAMPLE);
    // A file, since node:test passes an --eval on to the files that it runs.
    const script = join(folder, 'run.mjs');
    writeFileSync(script, SCRIPT);
    // It starts no run inside a run, unless it does not know of being inside.
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const env = { ...inherited, NO_COLOR: '1' };
    const { stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    const at = relative(ROOT, FILE);
    const end = stdout.slice(stdout.lastIndexOf('\n1 passed')).trim().split('\n');
    assert.deepEqual(end, [
      '1 passed, 2 failed, 1 skipped',
      '',
      '✗ a purse › when empty › holds nothing',
      `    ${at}:6`,
      '    AssertionError: Expected values to be strictly equal:',
      '    1 !== 2',
      '✗ throws',
      `    ${at}:10`,
      '    TypeError: No purse.',
      '    None at all.',
    ]);
    assert.match(stdout, /^ {2}opens \(\d\.\d s\)$/m);
  });

  it('names the slowest ten files where there are more', () => {
    const times = Array.from({ length: 12 }, (_, at) => ({ file: `f${at}`, tookMs: at * 1000 }));
    const lines = summary({ ...emptyReport(), passed: 12, times });
    assert.equal(lines[2], '   11.0 s  f11');
    assert.equal(lines[11], '    2.0 s  f2');
    assert.deepEqual(lines.slice(12), ['', '12 passed, 0 failed']);
    assert.ok(
      !summary({ ...emptyReport(), times: times.slice(3, 5) })
        .join()
        .includes('slowest'),
    );
  });
});
