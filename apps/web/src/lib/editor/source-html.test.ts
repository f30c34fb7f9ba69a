import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withLines } from './source-html.ts';

describe('withLines', () => {
  it('begins a line behind each block, item, row and picture', () => {
    const lines = [
      '<h2 id="a">A</h2>',
      '<p>b <strong>c</strong><br>d</p>',
      '<hr>',
      '<img src="x">',
      '<img src="y">',
      '<ul>',
      '<li>e<ul>',
      '<li>f</li>',
      '</ul>',
      '</li>',
      '</ul>',
      '<table>',
      '<tbody>',
      '<tr>',
      '<th scope="row">g</th><td>h</td></tr>',
      '</tbody>',
      '</table>',
      '<p>i</p>',
    ];
    assert.equal(withLines(lines.join('')), lines.join('\n'));
  });

  it('leaves blocks of code and what has its lines', () => {
    const html = '<pre><code>a\n  b &lt;/p&gt;c</code></pre>\n<p>d</p>\n';
    assert.equal(withLines(html), html);
    assert.equal(withLines('a <img src="x"> b'), 'a <img src="x"> b');
    assert.equal(withLines(''), '');
  });
});
