import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReadTheSame, isSetSame, readable } from './readable.ts';

describe('readable', () => {
  it('writes what HTML means in signs', () => {
    assert.equal(
      readable(
        '<h2 id="x">Fees &amp; <strong>rates</strong></h2><p>a<br />b <a href="/x" rel="noopener">c</a></p>' +
          '<ul><li>d</li><li><p>e</p></li></ul><table><tbody><tr><th>f</th><th>g</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>' +
          '<img src="/media/a-1.webp" alt="Notes" width="1" height="1" /><blockquote><p>q</p></blockquote>',
      ),
      '## Fees & **rates**\na ↵\nb c (/x)\n• d\n• e\n# f | # g\n1 | 2\n[Notes](/media/a-1.webp)\n> q',
    );
  });

  it('tells apart the kinds of lists, their numbers and how deep an item stands', () => {
    assert.equal(readable('<ul><li>a</li></ul>\n<ol><li>b</li></ol>'), '• a\n1. b');
    assert.equal(readable('<ol start="5"><li>a</li>\n<li>b</li></ol>'), '5. a\n6. b');
    assert.equal(
      readable('<ol><li><p>a</p>\n<ol><li>b<ul>\n<li>c</li></ul></li></ol></li><li>d</li></ol>'),
      '1. a\n1.1. b\n1.1.• c\n2. d',
    );
  });

  it('tells apart headings and cells, lines and paragraphs, and the languages of code', () => {
    assert.equal(readable('<table><tr>\n<th scope="row">a</th><td>b</td></tr></table>'), '# a | b');
    assert.equal(readable('<p>a</p><p>b<br>c</p>'), 'a\nb ↵\nc');
    const code = (kind: string) =>
      `<p>a <code>b</code></p><pre><code${kind}>c\nd</code></pre><p>e</p>`;
    assert.equal(readable(code('')), 'a `b`\n```\nc\nd\n```\ne');
    assert.equal(readable(code(' class="language-c++"')), 'a `b`\n```c++\nc\nd\n```\ne');
  });

  it('keeps the blanks of code, and those of no other words', () => {
    assert.equal(
      readable('<p>a  b</p><pre><code>if  (c)\n\td;\n\n  <em>e</em>\n</code></pre><p> f</p>'),
      'a b\n```\nif  (c)\n\td;\n\n  _e_\n```\nf',
    );
    assert.equal(readable('<pre> a\n&nbsp;b</pre>'), ' a\n b');
    assert.equal(readable('<pre>\n a \n </pre>'), ' a');
    assert.equal(readable('<pre>\n<code>a \n\n</code>\n</pre>'), '```\na \n\n```');
  });

  it('is written in time that grows with the text, however many blanks code has', () => {
    const [blanks, began] = [' '.repeat(120_000), performance.now()];
    assert.equal(readable(`<pre><code>a${blanks}b</code></pre>`), `\`\`\`\na${blanks}b\n\`\`\``);
    assert.ok(performance.now() - began < 5_000);
  });
});

describe('isSetSame', () => {
  it('sees what has no sign, and no change where the editor writes the same', () => {
    for (const [one, other] of [
      ['<p>a</p>', '<p><u>a</u></p>'],
      ['<table><tr><td colspan="2">a</td></tr></table>', '<table><tr><td>a</td></tr></table>'],
      ['<pre><code>a&nbsp;b</code></pre>', '<pre><code>a b</code></pre>'],
      ['<p>10&nbsp;EUR</p>', '<p>10 EUR</p>'],
      ['<p><u>a</u> b</p>', '<p>a <u>b</u></p>'],
    ] as const) {
      assert.equal(readable(one), readable(other));
      assert.equal(isSetSame(one, other), false);
      assert.equal(isReadTheSame(one, other), false);
    }
    const [kept, typed] = [
      '<p>a<br />\n<a href="/x" rel="noopener">&quot;b&quot;</a></p> ',
      '<p>a<br><a href="/x">"b"</a></p>',
    ];
    assert.ok(isSetSame(kept, typed));
  });
});
