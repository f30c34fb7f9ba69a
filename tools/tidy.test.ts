import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complaintsAbout } from './tidy.ts';

describe('tidy', () => {
  it('counts lines of code', () => {
    const long = 'x\n'.repeat(301);
    assert.match(complaintsAbout('tools/long.ts', long).join(), /has 301 lines/);
    assert.deepEqual(complaintsAbout('tools/short.ts', 'x\n'.repeat(300)), []);
    assert.deepEqual(complaintsAbout('docs/long.md', long), []);
  });

  it('finds floating point near money and nowhere else', () => {
    for (const text of ['Number(x)', 'parseFloat(x)', 'x.toFixed(2)', 'Math.round(x)']) {
      assert.match(
        complaintsAbout('packages/money/src/a.ts', `\n${text}`).join(),
        /a\.ts:2 .* near money/,
      );
      assert.deepEqual(complaintsAbout('tools/a.ts', text), []);
    }
    assert.deepEqual(complaintsAbout('packages/money/src/a.ts', 'Number.isInteger(x)'), []);
  });

  it('finds paths of one machine and download hosts of one network', () => {
    assert.match(complaintsAbout('docs/a.md', 'see /home/anna/desk').join(), /path of one machine/);
    assert.deepEqual(complaintsAbout('docs/a.md', 'https://example.com/home/anna'), []);
    const lock = '{"node_modules/x": {"resolved": "https://registry.example.test/x.tgz"}}';
    assert.match(complaintsAbout('package-lock.json', lock).join(), /registry\.example\.test/);
  });
});
