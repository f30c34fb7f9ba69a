import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rewriteTags } from './directions.ts';

/** Each tag with its own direction, and a `!` where it turns. */
const told = (html: string) =>
  rewriteTags(
    html,
    ({ name, own, direction, turns }) =>
      `<${name}${own ? '=' : '~'}${direction}${turns ? '!' : ''}>`,
  );

it('a block is written as its own first letter is, however deep it stands', () => {
  assert.equal(
    told('<p>a</p><ul><li>1 <em>سعر</em></li></ul><table><tr><td>א</td></tr></table>'),
    '<p=ltr>a</p><ul=rtl!><li~rtl>1 <em~rtl>سعر</em></li></ul><table=rtl!><tr~rtl><td~rtl>א</td></tr></table>',
  );
});

it('a block without a letter is written as what it stands in, and turns nothing', () => {
  assert.equal(
    told('<blockquote><p>12 &amp; 3</p><p>שער</p><p>a</p></blockquote><p>4</p>'),
    '<blockquote=rtl!><p~rtl>12 &amp; 3</p><p=rtl>שער</p><p=ltr!>a</p></blockquote><p~ltr>4</p>',
  );
});

it('code is written from left to right, and says nothing of the words around it', () => {
  assert.equal(
    told('<p><code>get <em>a</em></code> سعر <kbd>b</kbd></p><pre><code>نص</code></pre>'),
    '<p=rtl!><code=ltr!>get <em~ltr>a</em></code> سعر <kbd=ltr!>b</kbd></p><pre=ltr><code=ltr>نص</code></pre>',
  );
});

it('what can hold nothing holds none of the words behind it', () => {
  const picture = '<picture><source srcset="a b"><img src="x" alt="سعر"></picture>';
  assert.equal(
    told(`<ul><li>${picture}<br />א</li></ul><hr /><p>b</p>`),
    '<ul=rtl!><li~rtl><picture~rtl><source~rtl><img~rtl></picture><br~rtl>א</li></ul><hr~ltr><p=ltr>b</p>',
  );
});

it('what is rewritten as it was is the same text', () => {
  const html = '<p id="a&gt;b">x &lt; y<br /></p><ol start="3"><li></li></ol>z > 1';
  assert.equal(
    rewriteTags(html, ({ tag }) => tag),
    html,
  );
  assert.equal(
    rewriteTags(html, ({ name, attributes }) => `<${name}${attributes}>`),
    html,
  );
});
