import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReadTheSame } from './readable.ts';

describe('blanks around code', () => {
  it('before it are those of its first line', () => {
    const code = (start: string) => `<pre>${start}first\nsecond</code></pre>`;
    for (const [one, other] of [
      ['\n    <code>', '<code>    '],
      ['  <code class="language-ts">', '<code class="language-ts">  '],
      ['\n\n\t<code>', '<code>\n\t'],
      ['\n<code>', '<code>'],
    ] as const)
      assert.ok(isReadTheSame(code(one), code(other)), one);
    assert.equal(isReadTheSame(code('\n    <code>'), code('<code>')), false);
    assert.equal(isReadTheSame(code('\n\n<code>'), code('<code>')), false);
  });

  it('behind it are those of its last line', () => {
    const code = (end: string) => `<pre><code>first\nsecond${end}</pre>`;
    for (const [one, other] of [
      ['</code>\n\n', '\n\n</code>'],
      ['\n</code>\n', '\n\n</code>'],
      ['</code>\n  \n', '\n  \n</code>'],
      ['</code>\n', '</code>'],
    ] as const)
      assert.ok(isReadTheSame(code(one), code(other)), one);
    assert.equal(isReadTheSame(code('\n</code>\n'), code('\n</code>')), false);
  });
});
