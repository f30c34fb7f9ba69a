import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complaintsAbout } from './tidy.ts';

describe('tidy', () => {
  it('has nothing to say about a short plain file', () => {
    assert.deepEqual(complaintsAbout('apps/api/src/a.ts', 'export const a = "/api/user";\n'), []);
  });

  it('counts lines, except in the seed’s texts', () => {
    const long = 'x\n'.repeat(301);
    assert.match(complaintsAbout('tools/long.ts', long).join(), /has 301 lines/);
    assert.deepEqual(complaintsAbout('tools/short.ts', 'x\n'.repeat(300)), []);
    assert.deepEqual(complaintsAbout('apps/api/src/seed/terms.ts', long), []);
  });

  it('finds unfinished work, silenced compilers and lone tests, with their line', () => {
    const texts = ['// TODO later', "it.only('x', f);", '// @ts-ignore'];
    for (const text of texts) {
      assert.match(complaintsAbout('a.ts', `\n${text}\n`).join(), /^a\.ts:2 /);
    }
  });

  it('finds floating point near money and nowhere else', () => {
    for (const text of ['Number(x)', 'parseFloat(x)', 'x.toFixed(2)', 'Math.round(x)']) {
      assert.match(complaintsAbout('packages/money/src/a.ts', text).join(), /near money/);
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
