import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writtenHref } from '@cambist/html/places';
import {
  beyondEditor,
  fittingHeadings,
  storedHtml,
  typedAddress,
  quietHtml,
} from './stored-html.ts';

describe('storedHtml', () => {
  it('takes the paragraphs out of items and cells that hold nothing else', () => {
    assert.equal(
      storedHtml(
        '<ul><li><p>a <strong>b</strong></p></li><li><p>c</p><ul><li><p>d</p></li></ul></li></ul>' +
          '<table><tbody><tr><th colspan="2"><p>e</p></th></tr><tr><td><p></p></td><td><p>f</p><p>g</p></td></tr></tbody></table>',
      ),
      '<ul><li>a <strong>b</strong></li><li><p>c</p><ul><li>d</li></ul></li></ul>' +
        '<table><tbody><tr><th colspan="2">e</th></tr><tr><td></td><td><p>f</p><p>g</p></td></tr></tbody></table>',
    );
  });

  it('keeps a meaning plain, and no place for words that nobody wrote', () => {
    assert.equal(
      storedHtml(
        '<dl><dt>a</dt><dd><p>b</p></dd></dl><figure><img src="x"><figcaption></figcaption></figure><p></p>',
      ),
      '<dl><dt>a</dt><dd>b</dd></dl><figure><img src="x"></figure>',
    );
  });

  it('has no empty line at the end, and is empty for an empty text', () => {
    assert.equal(storedHtml('<p>a</p><p></p><p></p>'), '<p>a</p>');
    assert.equal(storedHtml('<p></p>'), '');
  });
});

describe('beyondEditor', () => {
  it('names what would be lost, and nothing else', () => {
    assert.deepEqual(
      beyondEditor(
        '<FIGURE class="x"><pre>x</pre></FIGURE><table><Caption>x</Caption></table><details>x</details>',
      ),
      ['figure', 'caption'],
    );
    assert.deepEqual(beyondEditor('<figure><img><figcaption><p>x</p></figcaption></figure>'), [
      'figure',
    ]);
    assert.deepEqual(
      beyondEditor(
        '<figure>\n<img src="a"><figcaption>A <em>b</em></figcaption></figure><figure><img></figure><dl><dt>x</dt></dl>',
      ),
      [],
    );
    assert.deepEqual(beyondEditor('<table><tbody></tbody></table><p>figure</p>'), []);
  });
});

describe('fittingHeadings', () => {
  it('leaves the title to the page', () => {
    assert.equal(
      fittingHeadings('<h1 class="x">a</h1><H6>b</H6><h3>c</h3>'),
      '<h2 class="x">a</h2><h4>b</h4><h3>c</h3>',
    );
  });
});

describe('quietHtml', () => {
  it('takes out what a policy would be told of, and leaves words about it', () => {
    assert.equal(
      quietHtml(
        '<p onclick="x(1)" id="a">onclick="x" style="y"</p><b style="color:red"><img/onerror=x src=z><style media=all>b{}</STYLE ><ba<BASE href=//evil.test/>se>c<style>d',
      ),
      '<p  id="a">onclick="x" style="y"</p><b data-look="color:red"><img  src=z> <ba se>c ',
    );
    assert.equal(
      quietHtml('<sty<style></style>le>a{}</style> <base href=x'),
      '<sty le>a{}</style> <base href=x',
    );
  });

  it('comes to its end with half a megabyte of things left open', () => {
    for (const open of ['<base ', '<style></style', '<a b', '<p onx="'])
      assert.ok(quietHtml(`${open.repeat(100_000)}a`));
  });
});

describe('typedAddress', () => {
  const cases = {
    'example.com/a?b': 'https://example.com/a?b',
    ' desk@cambist.example ': 'mailto:desk@cambist.example',
    '/terms': '/terms',
    '#fees': '#fees',
    'https://a.example': 'https://a.example',
    'javascript:alert(1)': 'javascript:alert(1)',
  };
  for (const [typed, address] of Object.entries(cases)) {
    it(`reads ${typed}`, () => assert.equal(typedAddress(typed), address));
  }

  it('makes nothing of what is no address', () => {
    for (const typed of ['javascript:alert(1)', '//evil.example', '/\\evil', 'two words', '']) {
      assert.equal(writtenHref(typedAddress(typed)), null, typed);
    }
  });
});
