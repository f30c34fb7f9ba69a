import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacks } from './attacks.ts';
import { cleanHtml } from './clean.ts';
import { textOf, textWithAddresses } from './text.ts';

describe('textOf', () => {
  it('answers what a person would read, line by line', () => {
    const html =
      '<h2>A &amp; B</h2><p>one  two<br>three</p><ul><li>x</li><li>y</li></ul><script>z</script>';
    assert.equal(textOf(cleanHtml(html)), 'A & B\none two\nthree\nx\ny');
  });

  it('keeps the text of blocks apart that are not allowed', () => {
    const blocks = '<div>Monday</div><div>closed <strong>x<section>y</section>z</strong></div>';
    assert.equal(textOf(cleanHtml(blocks)), 'Monday\nclosed x\ny\nz');
  });

  it('keeps cells, and an item and the list in it, apart', () => {
    const html =
      '<table><tr><th>USD</th><td>1.1548</td><td>-0.02</td></tr></table><ul><li>a<ol><li>b</li></ol></li></ul>c';
    assert.equal(textOf(cleanHtml(html)), 'USD 1.1548 -0.02\na\nb\nc');
  });

  it('leaves no tag of an attack', () => {
    for (const attack of attacks.filter((each) => !each.includes('&lt;')))
      assert.doesNotMatch(textOf(cleanHtml(attack)), /<(script|img|svg)[\s/>]/i, attack);
  });
});

describe('textWithAddresses', () => {
  it('shows where links lead and which pictures there are', () => {
    const html =
      '<p>See <a href="/terms">the <em>terms</em></a>.</p><img alt="A note" src="/media/abcdefgh1234-320.webp">';
    assert.equal(
      textWithAddresses(cleanHtml(html)),
      'See the terms (/terms).\n[A note] (/media/abcdefgh1234-320.webp)',
    );
  });
});
