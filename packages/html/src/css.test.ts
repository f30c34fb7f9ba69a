import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { styleAttacks } from './attacks.ts';
import { cssFaults, foreignAddresses, safeCss } from './css.ts';

describe('custom CSS', () => {
  for (const attack of styleAttacks) {
    it(`cannot leave its element by ${JSON.stringify(attack)}`, () => {
      assert.doesNotMatch(safeCss(attack), /<\s*[/!]/);
      assert.equal(safeCss(safeCss(attack)), safeCss(attack));
    });
  }

  it('keeps its meaning', () => {
    const css = '@media (width < 600px) { a > b::before { content: "\\2192"; color: #0b6b4c } }';
    assert.equal(safeCss(css), css);
    assert.equal(safeCss('a{content:"</p>"}'), 'a{content:"\\3c /p>"}');
  });

  it('ends its lines as browsers do, which hash what they read', () => {
    assert.equal(safeCss('a{}\r\nb{}\rc{}\r\0\n'), 'a{}\nb{}\nc{}\n');
  });

  it('is read for mistakes, each with its place', () => {
    assert.deepEqual(cssFaults('a { color: red }'), []);
    const [fault] = cssFaults('a { color: red }\nb { color red }');
    assert.equal(fault?.line, 2);
  });

  it('is read for what it would load from elsewhere, each with its place', () => {
    const found = (css: string) =>
      foreignAddresses(css, ['https://desk.test', 'https://api.desk.test']).map(
        ({ line, column, address }) => `${line}:${column} ${address}`,
      );
    assert.deepEqual(found('@import url(https://a.test/x.css);\n@import "//b.test/y.css" print;'), [
      '1:9 https://a.test/x.css',
      '2:9 //b.test/y.css',
    ]);
    assert.deepEqual(
      found('a { background: url( "http://c.test/p.png" ), image-set("https://d.test/p.png" 1x) }'),
      ['1:17 http://c.test/p.png', '1:57 https://d.test/p.png'],
    );
    assert.deepEqual(
      found('a { --picture: url(https://e.test/p) } @font-face { src: url(https://f.test/f) }'),
      ['1:16 https://e.test/p', '1:58 https://f.test/f'],
    );
    for (const own of [
      '/p.png',
      '#mark',
      'data:image/png;base64,x',
      'https://desk.test/p',
      'https://api.desk.test/p',
    ])
      assert.deepEqual(found(`a { background: url(${own}) }`), [], own);
    assert.deepEqual(found('a::after { content: "https://only.test/said" }'), []);
    assert.deepEqual(found('@namespace svg url(http://www.w3.org/2000/svg);'), []);
  });
});
