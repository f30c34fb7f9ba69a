import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReadTheSame, kindsBetween, plain, stretchesOf } from './readable.ts';

const readable = (html: string) => plain(stretchesOf(html));

describe('the words of HTML', () => {
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

  it('ends a mark and a link where they end, also around blocks of items and cells', () => {
    const item = (begin: string) => `<ul><li>${begin}<strong><p>a</p></strong> b</li></ul>`;
    assert.equal(readable(item('')), '• **\na\n**b');
    assert.equal(readable(item('<hr />')), '•\n---\n**\na\n**b');
    assert.equal(
      readable('<table><tr><td><a href="/x"><h3>a</h3></a></td></tr></table>'),
      '### a\n(/x)',
    );
  });

  it('tells apart headings and cells, lines and paragraphs, and the languages of code', () => {
    assert.equal(readable('<table><tr>\n<th scope="row">a</th><td>b</td></tr></table>'), '# a | b');
    assert.equal(
      readable(
        '<table><tr><td><p>1</p></td><td></td></tr><tr><td></td><td>2</td></tr></table><p>a</p>',
      ),
      '1 |\n| 2\na',
    );
    assert.equal(readable('a<p>b</p>'), 'a\nb');
    assert.equal(readable('<p>a</p><p>b<br>c</p>'), 'a\nb ↵\nc');
    const code = (kind: string) =>
      `<p>a <code>b</code></p><pre><code${kind}>c\nd</code></pre><p>e</p>`;
    assert.equal(readable(code('')), 'a `b`\n```\nc\nd\n```\ne');
    assert.equal(readable(code(' class="language-c++"')), 'a `b`\n```c++\nc\nd\n```\ne');
  });

  it('keeps the blanks of code, and those of no other words', () => {
    assert.equal(
      readable('<p>a  b</p><pre><code>if  (c)\n\td;\n\n  <s>e</s>\n</code></pre><p> f</p>'),
      'a b\n```\nif  (c)\n\td;\n\n  ~~e~~\n```\nf',
    );
    assert.equal(readable('<pre> a\n&nbsp;b</pre>'), ' a\n b');
    assert.equal(readable('<pre>\n a \n </pre>'), ' a \n ');
    assert.equal(readable('<pre>\n<code>a \n\n</code>\n</pre>'), '```\na \n\n\n```');
  });

  it('is written in time that grows with the text, however many blanks and boxes it has', () => {
    const [blanks, began] = [' '.repeat(120_000), performance.now()];
    assert.equal(readable(`<pre><code>a${blanks}b</code></pre>`), `\`\`\`\na${blanks}b\n\`\`\``);
    assert.equal(readable(`<p>a${blanks}b</p>`), 'a b');
    assert.equal(readable(`<p>${'<code>a</code> '.repeat(40_000)}</p>`).length, 159_999);
    assert.ok(performance.now() - began < 5_000);
  });
});

describe('isReadTheSame', () => {
  it('sees what has no sign', () => {
    for (const [one, other] of [
      ['<p>a</p>', '<p><u>a</u></p>'],
      ['<table><tr><td colspan="2">a</td></tr></table>', '<table><tr><td>a</td></tr></table>'],
      ['<pre><code>a&nbsp;b</code></pre>', '<pre><code>a b</code></pre>'],
      ['<p>10&nbsp;EUR</p>', '<p>10 EUR</p>'],
      ['<p>10&nbsp;&nbsp;EUR</p>', '<p>10&nbsp;EUR</p>'],
      ['<p><u>a</u> b</p>', '<p>a <u>b</u></p>'],
      ['<p>a</p><p>&nbsp;</p><p>b</p>', '<p>a</p><p></p><p>b</p>'],
      ['<p>a</p><p>&nbsp;</p>', '<p>a</p>'],
      ['<p><u>a</u> <u>b</u></p>', '<p><u>a b</u></p>'],
      ['<blockquote><p>a</p><p>b</p></blockquote>', '<blockquote><p>a</p></blockquote><p>b</p>'],
      ['<img src="/a" alt="" width="1" height="2">', '<img src="/a" alt="" width="2" height="4">'],
      ['<h2 id="a">a</h2>', '<h2 id="b">a</h2>'],
      ['<p>a <a href="/x">b</a> c</p>', '<p><a href="/x">a b</a> c</p>'],
      ['<p>• a</p><p>• b</p>', '<ul><li>a</li><li>b</li></ul>'],
      ['<p>1. a</p>', '<ol><li>a</li></ol>'],
      ['<p>**a** _b_ `c`</p>', '<p><strong>a</strong> <em>b</em> <code>c</code></p>'],
      ['<p>## a</p>', '<h2>a</h2>'],
      ['<p>a</p><p>---</p>', '<p>a</p><hr />'],
      ['<p>a (/x)</p>', '<p><a href="/x">a</a></p>'],
      ['<p>1 | 2</p>', '<table><tr><td>1</td><td>2</td></tr></table>'],
      ['<p>a</p>', '<pre>a</pre>'],
      ['<ul><li>a</li></ul><ul><li>b</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ] as const) {
      assert.equal(readable(one), readable(other));
      assert.equal(isReadTheSame(one, other), false, `${one} ${other}`);
    }
  });

  it('sees no change where the editor writes the same', () => {
    const [kept, typed] = [
      '<p>a<br />\n<a href="/x" rel="noopener">&quot;b&quot;</a></p> ',
      '<p>a<br><a href="/x">"b"</a></p>',
    ];
    assert.ok(isReadTheSame(kept, typed));
    assert.ok(isReadTheSame('<p></p>', ''));
    for (const [one, other] of [
      ['<p>a</p><p></p><p>b</p><p> </p>', '<p>a</p><p>b</p>'],
      ['<p>a<br></p>', '<p>a</p>'],
      ['<p><em>a</em><br />\n</p>', '<p><em>a</em></p>'],
      ['<p><strong>a</strong><strong>b</strong></p>', '<p><strong>ab</strong></p>'],
      ['<p><mark><u>a</u></mark></p>', '<p><u><mark>a</mark></u></p>'],
      ['<p><strong><em>a</em></strong> b</p>', '<p><em><strong>a</strong></em> b</p>'],
      ['<p>a<u></u></p>', '<p>a</p>'],
      ['<p>a<strong><mark></mark></strong><a href="/x"></a></p>', '<p>a</p>'],
      ['<p><a href="/x"><strong>a</strong></a></p>', '<p><strong><a href="/x">a</a></strong></p>'],
      ['<p><em>a <a href="/x">b</a></em></p>', '<p><em>a </em><a href="/x"><em>b</em></a></p>'],
      ['<p><a href="/x">a<br></a></p>', '<p><a href="/x">a</a></p>'],
      ['<p><strong>a<br />b</strong></p>', '<p><strong>a</strong><br /><strong>b</strong></p>'],
      ['<ul><li>a<br><ul><li>b</li></ul></li></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
      ['<ul><li>\n<br>\n</li></ul>', '<ul><li></li></ul>'],
      ['<ul><li><p>a</p></li></ul>', '<ul><li>a</li></ul>'],
      [
        '<ul><li>a<ul><li>b</li></ul>c</li></ul>',
        '<ul><li><p>a</p><ul><li>b</li></ul><p>c</p></li></ul>',
      ],
      ['<ul><li>a<p>b</p></li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
      ['<table><tr><td><p>a</p></td></tr></table>', '<table><tr><td>a</td></tr></table>'],
      ['<dl><dt>a</dt><dd><p>b</p></dd></dl>', '<dl><dt>a</dt><dd>b</dd></dl>'],
      [
        '<p><mark>a <a href="/x">b</a> c</mark></p>',
        '<p><mark>a </mark><a href="/x"><mark>b</mark></a><mark> c</mark></p>',
      ],
      ['<p><em><kbd>a</kbd></em></p>', '<p><kbd><em>a</em></kbd></p>'],
      ['<p>a <em>b </em></p>', '<p>a <em>b</em></p>'],
      ['<p>a<em> </em></p>', '<p>a</p>'],
      ['<p>a <u>b </u><em> <s> </s></em><br />c</p>', '<p>a <u>b</u><br />c</p>'],
      ['<blockquote>a<br /></blockquote>', '<blockquote>a</blockquote>'],
      ['<p><u>a </u><br><strong> b</strong></p>', '<p><u>a</u><br><strong>b</strong></p>'],
      [
        '<ul><li>a<ul><li>b</li></ul><br></li></ul>',
        '<ul><li>a<ul><li>b</li></ul><p><br /></p></li></ul>',
      ],
      ['<ol start="1"><li>a</li></ol>', '<ol><li>a</li></ol>'],
      ['<p>a <u>b</u> </p>', '<p> a <u> b </u></p>'],
      ['<table><tr><td colspan="1">a</td></tr></table>', '<table><tr><td>a</td></tr></table>'],
      [
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
        '<table><tbody><tr><th>a</th></tr><tr><td>b</td></tr></tbody></table>',
      ],
    ] as const)
      assert.ok(isReadTheSame(one, other), one);
    for (const [one, other] of [
      ['<p>a<br><br></p>', '<p>a<br></p>'],
      ['<p>a<br />b</p>', '<p>a<br /></p><p>b</p>'],
      ['<p>a</p><p><br></p>', '<p>a</p>'],
      ['<p>a</p><p><br /><br /></p>', '<p>a</p><p><br /></p>'],
      [
        '<ul><li>a<ul><li>b</li></ul><br><br></li></ul>',
        '<ul><li>a<ul><li>b</li></ul><br></li></ul>',
      ],
      ['<ul><li><p>a</p><br></li></ul>', '<ul><li><p>a</p></li></ul>'],
      ['<ul><li>a<ul><li>b</li></ul><br></li></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
      ['<p>a<mark> b</mark></p>', '<p>a <mark>b</mark></p>'],
      ['<p><u>a </u>b</p>', '<p><u>a</u> b</p>'],
      ['<p>a<a href="/x"> <em>b</em></a></p>', '<p>a <a href="/x"><em>b</em></a></p>'],
      ['<p><code>a</code><code>b</code></p>', '<p><code>ab</code></p>'],
      ['<p><mark><code>a</code></mark></p>', '<p><code><mark>a</mark></code></p>'],
      ['<p><s><code>a</code></s></p>', '<p><code><s>a</s></code></p>'],
      ['<p><a href="/x">a</a><a href="/y">b</a></p>', '<p><a href="/x">ab</a></p>'],
      ['<ul><li>a</li><li>b</li></ul>', '<ul><li>a<p>b</p></li></ul>'],
      ['<ul><li>a b</li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
      ['<p>a<kbd></kbd>b</p>', '<p>ab</p>'],
      ['<p><sup><u>a</u></sup><u><sup>b</sup></u></p>', '<p><sup><u>ab</u></sup></p>'],
      ['<p>a<a href="/x"><img src="/media/a-1.webp" alt="" /></a></p>', '<p>a</p>'],
      ['<p>a<code> </code></p>', '<p>a</p>'],
    ] as const)
      assert.equal(isReadTheSame(one, other), false, one);
  });

  it('sees pictures, rules and captions as a browser draws them', () => {
    const img = '<img src="/media/a-1.webp" alt="" />';
    const rows = '<tbody><tr><th>a</th></tr></tbody>';
    for (const [one, other] of [
      [`<ul><li>a${img}b</li></ul>`, `<ul><li><p>a</p>${img}<p>b</p></li></ul>`],
      ['<ul><li>a<hr />b</li></ul>', '<ul><li><p>a</p><hr /><p>b</p></li></ul>'],
      [`<ul><li>a<br />${img}</li></ul>`, `<ul><li>a${img}</li></ul>`],
      [`<p>a<u> </u>${img}</p>`, `<p>a${img}</p>`],
      [
        `<ul><li><a href="/x">${img}</a></li></ul>`,
        `<ul><li><p><a href="/x">${img}</a></p></li></ul>`,
      ],
      [`<table>${rows}</table>`, `<table>${rows.replace('a', '<p>a</p>')}</table>`],
      [
        `<table><caption><em>a </em></caption>${rows}</table>`,
        `<table><caption><em>a</em></caption>${rows}</table>`,
      ],
      [
        `<figure>${img}<figcaption>a<br /></figcaption></figure>`,
        `<figure>${img}<figcaption>a</figcaption></figure>`,
      ],
    ] as const)
      assert.ok(isReadTheSame(one, other), one);
    for (const [one, other] of [
      [`<ul><li><a href="/x">${img}</a></li></ul>`, `<ul><li>${img}</li></ul>`],
      [`<p><a href="/x">${img}</a><br /></p>`, `<p><a href="/x">${img}</a></p>`],
      [
        '<ul><li>a <strong>b<h3>c</h3></strong></li></ul>',
        '<ul><li><p>a</p><strong>b<h3>c</h3></strong></li></ul>',
      ],
    ] as const)
      assert.equal(isReadTheSame(one, other), false, one);
  });

  it('sees no change in blanks that a browser draws together, and each one in code', () => {
    const cells = '<td>a</td> <td> <p>b</p> </td>';
    const table = `<table> <tbody> <tr> ${cells} </tr> </tbody> </table>`;
    for (const [one, other] of [
      ['<p>one\ntwo</p>', '<p>one two</p>'],
      ['<p>one\r\n   two</p>', '<p> one two </p>'],
      ['<p>one <strong>\ntwo</strong></p>', '<p>one <strong>two</strong></p>'],
      ['<ul>\n<li>a\nb</li>\n</ul>\n', '<ul><li>a b</li></ul>'],
      [table.replaceAll(' ', '\n'), table.replaceAll(' ', '')],
      ['<pre><code>a\n</code></pre>', '<pre><code>a</code></pre>'],
      ['<pre>\n<code>a</code>\n</pre>', '<pre><code>a</code></pre>'],
    ] as const)
      assert.ok(isReadTheSame(one, other), one);
    for (const [one, other] of [
      ['<pre><code>a\nb</code></pre>', '<pre><code>a b</code></pre>'],
      ['<pre><code>a\n\n</code></pre>', '<pre><code>a</code></pre>'],
      ['<p>one<br>two</p>', '<p>one two</p>'],
      ['<p>one</p>\n<p>two</p>', '<p>one\ntwo</p>'],
    ] as const)
      assert.equal(isReadTheSame(one, other), false, one);
  });
});

describe('how words are set', () => {
  it('stands beside them, where no sign tells it', () => {
    assert.deepEqual(stretchesOf('<p>a <u>b <mark>c</mark></u>&nbsp;d</p>'), [
      { text: 'a ', set: '' },
      { text: 'b', set: 'u' },
      { text: ' ', set: '' },
      { text: 'c', set: 'u\nmark' },
      { text: ' ', set: 'space \u{A0}' },
      { text: 'd', set: '' },
      { text: '', set: 'elements 0p,_1u,_2mark,3/mark,3/u,5/p' },
    ]);
  });

  it('has the place of blanks between the words of an item with these', () => {
    const place = { kind: 'lists', container: 1 } as const;
    assert.deepEqual(stretchesOf('<ul><li><u>a</u> <mark>b</mark></li></ul>').slice(2, 5), [
      { text: 'a', set: 'u', place },
      { text: ' ', set: '', place },
      { text: 'b', set: 'mark', place },
    ]);
  });

  it('is named by what differs in it', () => {
    assert.deepEqual(kindsBetween('u', ''), ['underlining']);
    assert.deepEqual(kindsBetween('u\nmark', 'cell colspan="2"\nu'), ['marking', 'cells']);
    assert.deepEqual(kindsBetween('space \u{A0}', 'empty p'), ['spaces', 'paragraphs']);
    assert.deepEqual(kindsBetween('u\nmark', 'mark\nu'), ['underlining', 'marking']);
    assert.deepEqual(kindsBetween('blockquote\nu', 'blockquote\nblockquote\nu'), ['quotations']);
    assert.deepEqual(kindsBetween('tfoot\nu\n1\ntfoot\n1', 'tfoot\n1\ntfoot\nu\n1'), [
      'underlining',
    ]);
    assert.deepEqual(kindsBetween('elements 0p', 'elements 0pre'), []);
    assert.deepEqual(kindsBetween('empty p\nelements 0p', 'empty p\nelements 0pre'), []);
    assert.deepEqual(kindsBetween('cell rowspan="2"', 'cell rowspan="3"'), ['cells']);
  });
});
