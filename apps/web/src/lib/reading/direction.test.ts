import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withDirections } from './direction.ts';

it('lists, quotes and tables are written in the direction of their own words', () => {
  assert.equal(
    withDirections('<p>a</p><ol start="3"><li>سعر</li></ol><blockquote><p>c</p></blockquote>'),
    '<p>a</p><ol dir="rtl" start="3"><li>سعر</li></ol><blockquote dir="ltr"><p>c</p></blockquote>',
  );
  const table = (dir: string) =>
    `<table${dir}><tbody><tr><td>1</td><td>א</td></tr></tbody></table>`;
  assert.equal(withDirections(table('')), table(' dir="rtl"'));
});

it('what has no letter is turned as what it stands in', () => {
  // The names of elements and signs are no words of the text.
  const figures = '<ul><li>1 &lt; 2 &amp; <strong>3 €</strong></li></ul>';
  assert.equal(withDirections(`<p>سعر</p>${figures}<p>b</p>`), `<p>سعر</p>${figures}<p>b</p>`);
  assert.equal(
    withDirections(`<ol><li>${figures}</li><li>סעיף</li></ol>`),
    `<ol dir="rtl"><li>${figures}</li><li>סעיף</li></ol>`,
  );
});

it('words that stand in a list are words of what that stands in', () => {
  assert.equal(
    withDirections('<blockquote><ul><li>سعر</li></ul><p>rate</p></blockquote>'),
    '<blockquote dir="rtl"><ul dir="rtl"><li>سعر</li></ul><p>rate</p></blockquote>',
  );
  assert.equal(
    withDirections('<table><tr><td><ul><li>سعر</li></ul></td></tr></table><ul><li>b</li></ul>'),
    '<table dir="rtl"><tr><td><ul dir="rtl"><li>سعر</li></ul></td></tr></table><ul dir="ltr"><li>b</li></ul>',
  );
});

it('code is written from left to right in whatever text it is', () => {
  assert.equal(
    withDirections('<p>نص <code>a;</code></p><pre><code class="language-js">b;</code></pre>'),
    '<p>نص <code dir="ltr">a;</code></p><pre dir="ltr"><code dir="ltr" class="language-js">b;</code></pre>',
  );
  assert.equal(
    withDirections('<ul><li><code>get</code> סעיף</li></ul>'),
    '<ul dir="rtl"><li><code dir="ltr">get</code> סעיף</li></ul>',
  );
});
