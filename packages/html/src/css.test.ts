import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { styleAttacks } from './attacks.ts';
import { cssFaults, safeCss } from './css.ts';

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
});
