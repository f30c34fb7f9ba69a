import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heldCode, withoutLastEnds } from './held-code.ts';
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

  it('make as many lines as are drawn, whatever ends them', () => {
    const ends = ['', '\n', '<br />', '\n\n', '<br />\n', '\n<br />', '<br /><br />'];
    ends.push('\n\n\n', '<br />\n\n', '<br /><br />\n', '<br /><br /><br />');
    ends.push('\n<u></u>', '\n<u></u>\n', '<u><br /></u>', '<br /><u></u>', '<u>\n</u>\n');
    const countOf = (end: string) => end.match(/\n|<br \/>/g)?.length ?? 0;
    const code = (words: string) => `<pre><code>${words}</code></pre>`;
    const bare = (words: string) => `<pre>\n${words}</pre>`;
    for (const around of [code, bare])
      for (const words of ['b', '<u>b</u>', ' ', '', '<u></u>', '<p>b</p>', 'b<u><br /></u>'])
        for (const one of ends)
          for (const other of ends) {
            const [html, beside] = [around(words + one), around(words + other)];
            // Behind words the first end of a line makes none.
            const first = /^(b|<u>b<\/u>| )$/.test(words) ? 1 : 0;
            const [lines, besides] = [one, other].map((end) => Math.max(first, countOf(end)));
            if (lines !== besides) assert.equal(isReadTheSame(html, beside), false, html + beside);
          }
    for (const around of [code, bare])
      for (const words of ['b', '<u>b</u>', ' ', 'a\n\nb', 'a<br />b'])
        for (const end of ['\n', '<br />'])
          assert.ok(isReadTheSame(around(words + end), around(words)), words + end);
    assert.ok(isReadTheSame(code('b<br />\n'), code('b<br /><br />')));
    assert.equal(isReadTheSame(bare('<kbd>b<br /></kbd>\n'), bare('<kbd>b<br /></kbd>')), false);
  });

  it('are found in time that grows with the text', () => {
    const many = (end: string) => `<pre>a${end.repeat(60_000)}b${end.repeat(60_000)}</pre>`;
    const began = performance.now();
    for (const end of ['\n', '<br />', '\n</u>', '<u>', '</u>', '<u> ', ' \n'])
      assert.ok(withoutLastEnds(heldCode(many(end))).length > 60_000);
    assert.ok(performance.now() - began < 5_000);
  });
});
