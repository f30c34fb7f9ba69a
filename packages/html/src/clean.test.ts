import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attacks } from './attacks.ts';
import { cleanedHtml, cleanHtml } from './clean.ts';

/** What may come out, read with the strictest of eyes: known elements, quoted attributes, no handler. */
const plainTag =
  /^<\/?(h[2-4]|p|br|hr|blockquote|pre|code|kbd|strong|em|s|u|sub|sup|mark|a|ul|ol|li|dl|dt|dd|figure|figcaption|img|table|caption|thead|tbody|tfoot|tr|th|td)( (href|rel|src|alt|width|height|loading|start|class|scope|colspan|rowspan|id)="[^"<>]*")*( \/)?>/;

function assertHarmless(html: string): void {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    assert.match(html.slice(at), plainTag, html);
  }
  for (const [, value = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
    assert.match(value, /^(https?:\/\/|mailto:|tel:|\/[^/\\]|\/$|#)/i, html);
  }
}

describe('the HTML that people write', () => {
  it('keeps what an article is made of', () => {
    const article =
      '<h2 id="fees">Fees &amp; rates</h2><p>x<br />y <strong>s</strong> <em>e</em> <code>c</code></p>' +
      '<pre><code class="language-ts">const a = 1 &lt; 2;</code></pre>' +
      '<figure><img src="/media/abcdefgh1234-1280.webp" alt="A note" width="1280" height="720" /><figcaption>c</figcaption></figure>' +
      '<table><thead><tr><th scope="col">H</th><th>I</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>' +
      '<ol start="3"><li>3</li></ol><p><a href="/terms">t</a> <a href="#fees">f</a> <a href="mailto:a@b.example">m</a></p>';
    assert.equal(cleanHtml(article), article);
  });

  it('keeps pictures of the library, however narrow', () => {
    for (const width of [1, 9, 10, 1920]) {
      const picture = `<img src="/media/abcdefgh1234-${width}.webp" alt="" />`;
      assert.deepEqual(cleanedHtml(picture), { html: picture, removed: [] });
    }
    for (const width of ['', '0', '012', '12800'])
      assert.equal(cleanHtml(`<img src="/media/abcdefgh1234-${width}.webp" alt="" />`), '');
  });

  it('hands no window to where a link leads', () => {
    assert.equal(
      cleanHtml('<a href="https://a.example/?b=c&amp;d=e" target="_blank" rel="opener">x</a>'),
      '<a href="https://a.example/?b=c&amp;d=e" rel="noopener">x</a>',
    );
  });

  it('calls things by their meaning, and drops pictures that are not its own', () => {
    assert.equal(
      cleanHtml('<h1>a</h1><b>b</b><i>c</i><img src="https://t.example/p.gif"><img src="x">'),
      '<h2>a</h2><strong>b</strong><em>c</em>',
    );
  });

  const addresses: readonly (readonly [string, string | null])[] = [
    ['https://a.example/x|y{z}?q={a|b}#c|d', 'https://a.example/x%7Cy%7Bz%7D?q=%7Ba%7Cb%7D#c%7Cd'],
    [
      ' https://a.example/a b/^`[1]?x=&quot;y&lt;z&gt; ',
      'https://a.example/a%20b/%5E%60%5B1%5D?x=%22y%3Cz%3E',
    ],
    ['/a%7Cb%2f|é/日本?x=%25', '/a%7Cb%2f%7Cé/日本?x=%25'],
    ['https://[2001:db8::1]:8443/x#a#b', 'https://[2001:db8::1]:8443/x#a%23b'],
    ['mailto:a b@c.example?subject=x|y', 'mailto:a%20b@c.example?subject=x%7Cy'],
    ['#fees|rates', '#fees%7Crates'],
    ['/x\\y?z=\\', '/x/y?z=%5C'],
    ['https://a.example\\@b.example/', 'https://a.example/@b.example/'],
    ['https://a.example/lo\n  ng', 'https://a.example/lo%20%20ng'],
    ['https://a b.example/', null],
    ['https://a|b.example/', null],
    ['/\\b.example', null],
    ['/x%zz', null],
    ...[
      '_ftn1',
      'sdfootnote1anc',
      'sdfootnote12sym',
      'sdendnote1anc',
      'ftnt1',
      'ftnt_ref1',
      'cmnt3',
    ].map((mark) => [`#${mark}`, null] as const),
    ...['cmnt_ref3', 'heading=h.2et92p0', 'h.2et92p0', 'bookmark=id.30j0zll', 'kix.a1b2'].map(
      (mark) => [`#${mark}`, null] as const,
    ),
    ['#ftnt-fees', '#ftnt-fees'],
    ['#headings', '#headings'],
  ];
  for (const [given, written] of addresses) {
    it(`writes the address ${JSON.stringify(given)} as it may stand there`, () => {
      const cleaned = cleanHtml(`<a href="${given}">x</a>`);
      assert.equal(
        / href="([^"]*)"/.exec(cleaned)?.[1] ?? null,
        written?.replaceAll('&', '&amp;') ?? null,
      );
      assert.equal(cleanHtml(cleaned), cleaned);
    });
  }

  for (const attack of attacks) {
    it(`lets nothing run of ${JSON.stringify(attack).slice(0, 80)}`, () => {
      const cleaned = cleanHtml(attack);
      assertHarmless(cleaned);
      assert.equal(cleanHtml(cleaned), cleaned);
    });
  }

  it('is harmless and stays as it is when cleaned again, whatever is put together', () => {
    const piece = fc.oneof(
      fc.constantFrom(...attacks),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<table>',
        '</table>',
        '<a href="/x">',
        '<a href="https://a.example/|',
        '\\',
        '<!--',
        '-->',
        '<',
        '>',
        '"',
        '&lt;',
        '&',
        '<svg>',
        '<math>',
        '<style>',
        '</style>',
        '<h2 id="a">',
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const cleaned = cleanHtml(pieces.join(''));
        assertHarmless(cleaned);
        assert.equal(cleanHtml(cleaned), cleaned);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('what had no place in HTML', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['<p>a <b>b</b></p><h1>c</h1><a href="https://a.example" rel="nofollow">d</a>', []],
    [
      '<p onclick="x()" style="y">a</p><script>b</script>',
      ['onclick of <p>', 'style of <p>', '<script>'],
    ],
    ['<a href="javascript:alert(1)">a</a><!-- b -->', ['<!-- -->', 'href of <a>']],
    ['<img src="https://elsewhere.example/x.png" alt="a">', ['src of <img>']],
    ['<h2 class="x" id="fees">a</h2><custom-one>b</custom-one>', ['class of <h2>', '<custom-one>']],
  ];
  for (const [html, removed] of cases) {
    it(html, () => assert.deepEqual(cleanedHtml(html), { html: cleanHtml(html), removed }));
  }

  it('is never empty where an attack lost something', () => {
    for (const attack of attacks.filter((each) => /<[a-z!]/i.test(each) && !each.includes('\0'))) {
      const { html, removed } = cleanedHtml(attack);
      assert.equal(html, cleanHtml(attack));
      if (/^<(script|iframe|svg|object|style)\b/i.test(attack))
        assert.notDeepEqual(removed, [], attack);
    }
  });
});

describe('blocks that are not allowed', () => {
  const cases: readonly (readonly [html: string, cleaned: string])[] = [
    ['<div>Monday</div><div>closed</div>', '<p>Monday</p><p>closed</p>'],
    ['<section><div>a</div>b</section>', '\n<p>a</p>b\n'],
    ['<ul><li><div>a</div></li></ul>', '<ul><li><p>a</p></li></ul>'],
    ['a<div></div>b', 'a\nb'],
  ];
  for (const [html, cleaned] of cases) {
    it(`leave their words apart: ${html}`, () => assert.equal(cleanHtml(html), cleaned));
  }

  it('are cleaned within seconds, however many there are', () => {
    const page = `<section>${'<div>word<article>'.repeat(14)}${'<div>word</div>'.repeat(20_000)}`;
    assert.equal(cleanHtml(page).match(/word/g)?.length, 20_014);
  });
});

it('a heading without words is removed', () => {
  assert.equal(cleanHtml('<h2> </h2><h3></h3><h4>a</h4>'), '<h4>a</h4>');
});
