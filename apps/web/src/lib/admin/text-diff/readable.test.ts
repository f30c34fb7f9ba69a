import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readable } from './readable.ts';

describe('readable', () => {
  it('writes what HTML means in signs', () => {
    assert.equal(
      readable(
        '<h2 id="x">Fees &amp; <strong>rates</strong></h2><p>a<br />b <a href="/x" rel="noopener">c</a></p>' +
          '<ul><li>d</li><li><p>e</p></li></ul><table><tbody><tr><th>f</th><th>g</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>' +
          '<img src="/media/a-1.webp" alt="Notes" width="1" height="1" /><blockquote><p>q</p></blockquote>',
      ),
      '## Fees & **rates**\na\nb c (/x)\n• d\n• e\nf | g\n1 | 2\n[Notes](/media/a-1.webp)\n> q',
    );
  });
});
