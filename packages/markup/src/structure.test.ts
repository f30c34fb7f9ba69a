import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanHtml } from './html.ts';

describe('what people write in the wrong place', () => {
  const cases: readonly (readonly [what: string, html: string, cleaned: string])[] = [
    [
      'one id twice',
      '<h2 id="a">x</h2><h3 id="a">y</h3><h2 id="b">z</h2>',
      '<h2 id="a">x</h2><h3>y</h3><h2 id="b">z</h2>',
    ],
    [
      'items without a list',
      '<li>a</li> <li>b</li><p>c</p>',
      '<ul><li>a</li> <li>b</li></ul><p>c</p>',
    ],
    ['text in a list', '<ul>a<li>b</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    [
      'a list in a list',
      '<ol><li>a</li><ol><li>b</li></ol></ol>',
      '<ol><li>a</li><li><ol><li>b</li></ol></li></ol>',
    ],
    ['an item in a heading', '<h2>a<td>b</td></h2>', '<h2>ab </h2>'],
    ['a heading of nothing', '<h2> </h2><h3><img alt="" /></h3><h4>a</h4>', '<h4>a</h4>'],
    ['a term without a meaning', '<dl><dt>a</dt></dl>', '<dl><dt>a</dt><dd></dd></dl>'],
    ['a meaning without a term', '<dd>a</dd>', '<dl><dt></dt><dd>a</dd></dl>'],
    ['a list of no terms', '<p>a</p><dl> </dl><dl></dl>', '<p>a</p>'],
    ['text among terms', '<dl><dt>a</dt>b</dl>', '<dl><dt>a</dt><dd>b</dd></dl>'],
    [
      'cells without a table',
      '<td>a</td><td>b</td>',
      '<table><tr><td>a</td><td>b</td></tr></table>',
    ],
    [
      'text in a table',
      '<table>a<tr>b<td>c</td></tr></table>',
      '<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>',
    ],
    ['a caption of nothing', '<caption>a</caption>', 'a'],
    ['a table of nothing', '<table><tbody><tr></tr></tbody></table>x', 'x'],
    [
      'a caption and a head at the end',
      '<table><tbody><tr><td>a</td></tr></tbody><thead><tr><th>b</th></tr></thead><caption>c</caption></table>',
      '<table><caption>c</caption><tbody><tr><td>a</td></tr></tbody><tbody><tr><th>b</th></tr></tbody></table>',
    ],
    [
      'captions without and within a figure',
      '<figcaption>a</figcaption><figure><figcaption>b</figcaption>x<figcaption>c</figcaption></figure>',
      '<figure><figcaption>a</figcaption></figure><figure><figcaption>b</figcaption>x<p>c</p></figure>',
    ],
    [
      'cells that reach over the edge',
      '<table><tr><td colspan="3" rowspan="4">a</td><td>b</td></tr><tr><td rowspan="2">c</td></tr></table>',
      '<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>',
    ],
    ['words of two blocks', '<div>Monday</div><div>closed</div>', '<p>Monday</p><p>closed</p>'],
    [
      'blocks of all names',
      '<details><summary>sum</summary>body</details><center>five</center><form>six</form>',
      '<p>sum</p><p>body</p><p>five</p><p>six</p>',
    ],
    ['a block in blocks', '<div><div>a</div>b<div>c</div></div>', '<p>a</p><p>b</p><p>c</p>'],
    ['a block with a paragraph', 'x<div>a<p>b</p></div>c', 'x<p>a</p><p>b</p>c'],
    ['words beside a block', 'a <em>b</em><div>c</div>d', 'a <em>b</em><p>c</p>d'],
    [
      'blocks in items and cells',
      '<ul><li><div>a</div><div>b</div></li></ul><table><tr><td>c<div>d</div></td></tr></table>',
      '<ul><li><p>a</p><p>b</p></li></ul><table><tr><td>c<p>d</p></td></tr></table>',
    ],
    [
      'blocks around items, terms and pictures',
      '<ul><div><li>a</li></div></ul><dl><div><dt>b</dt><dd>c</dd></div></dl><figure><div><img src="/media/abcdefgh1234-9.webp" alt="" /></div></figure>',
      '<ul><li>a</li></ul><dl><dt>b</dt><dd>c</dd></dl><figure>\n<img src="/media/abcdefgh1234-9.webp" alt="" />\n</figure>',
    ],
    [
      'blocks of a caption',
      '<figure><img src="/media/abcdefgh1234-9.webp" alt=""><figcaption><div>a</div><div>b</div></figcaption></figure>',
      '<figure><img src="/media/abcdefgh1234-9.webp" alt="" /><figcaption>\na\nb\n</figcaption></figure>',
    ],
    ['blocks in a line of text', 'x<strong><div>a</div>b</strong>', 'x<strong>\na\nb</strong>'],
    ['blocks in code', '<pre><div>a</div><div><div>b</div>c</div></pre>', '<pre>\na\nb\nc\n</pre>'],
    ['a block of nothing', 'a<div></div>b<div><br></div>c', 'a\nb\n<br />\nc'],
    [
      'addresses that nobody can read',
      '<a href="https://">a</a><a href="/x%zz">b</a><a href="/x%20y">c</a><a href="https://[">d</a>',
      '<a>a</a><a>b</a><a href="/x%20y">c</a><a>d</a>',
    ],
  ];
  for (const [what, html, cleaned] of cases) {
    it(`is put right: ${what}`, () => assert.equal(cleanHtml(html), cleaned));
  }

  it('stays as it is where it is right', () => {
    const right =
      '<table><caption>c</caption><thead><tr><th colspan="2">a</th><th>b</th></tr></thead>\n<tbody><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td colspan="2">4</td></tr></tbody></table>' +
      '<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd>d</dd></dl><ul>\n<li>a<ul><li>b</li></ul></li>\n</ul>';
    assert.equal(cleanHtml(right), right);
  });

  it('keeps the words of a page apart that is all blocks', () => {
    const breaks = `<div>${'<br>'.repeat(200_000)}</div>`;
    assert.ok(cleanHtml(breaks).length > 1_000_000);
    const page = `<section>${'<div>word<article>'.repeat(14)}${'<div>word</div>'.repeat(2_000)}`;
    assert.equal(cleanHtml(page).replaceAll('<p>word</p>', ''), '');
  });

  const names =
    'ul ol li dl dt dd figure figcaption table caption thead tbody tfoot tr td th p h2 div';
  const tag = fc.constantFrom(...names.split(' '));
  const span = fc.constantFrom('', ' colspan="3"', ' rowspan="4"', ' id="a"');
  const part = fc.oneof(
    fc.tuple(tag, span).map(([name, attributes]) => `<${name}${attributes}>`),
    tag.map((name) => `</${name}>`),
    fc.constantFrom('word', ' ', '<br>', '<em>', '</em>'),
  );
  it('keeps its elements and its words whatever is put together, and comes to rest', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const html = parts.join('');
        const cleaned = cleanHtml(html);
        assert.equal(cleanHtml(cleaned), cleaned);
        const words = (text: string) => text.match(/word/g)?.length ?? 0;
        assert.equal(words(cleaned), words(html));
        if (html.includes('<h2>word')) assert.ok(cleaned.includes('<h2>'), cleaned);
      }),
      { numRuns: 3000 },
    );
  });
});
