import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withDirections } from './direction.ts';

it('lists and quotes are written in the direction of their own words', () => {
  assert.equal(
    withDirections('<p>a</p><ol start="3"><li>b</li></ol><blockquote><p>c</p></blockquote>'),
    '<p>a</p><ol dir="auto" start="3"><li>b</li></ol><blockquote dir="auto"><p>c</p></blockquote>',
  );
});

it('code is written from left to right in whatever text it is', () => {
  assert.equal(
    withDirections('<p>نص <code>a;</code></p><pre><code class="language-js">b;</code></pre>'),
    '<p>نص <code dir="ltr">a;</code></p><pre dir="ltr"><code dir="ltr" class="language-js">b;</code></pre>',
  );
});
