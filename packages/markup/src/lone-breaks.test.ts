import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReadTheSame } from './readable.ts';

describe('a line break alone in a cell', () => {
  it('is not seen where another cell makes the row as high', () => {
    for (const words of ['a', '<p>a</p>', '<sub>a</sub>', '<ul><li>a</li></ul>', '1<br />2'])
      for (const lone of ['<br />', '<p><br /></p>', '<em><br /></em>'])
        assert.ok(isReadTheSame(row(words, lone), row(words, '')), words + lone);
  });

  it('is told where it makes a line of its own', () => {
    for (const [one, other] of [
      [row('', '<br />'), row('', '')],
      [row('a', '<br /><br />'), row('a', '')],
      [row('a', '\u{A0}<p><br /></p>'), row('a', '')],
      [row('a<ul><li>b</li></ul>', '<br />c'), row('a<ul><li>b</li></ul>', 'c')],
      [
        row('<figure><figcaption>a</figcaption></figure>', '<br />'),
        row('<figure><figcaption>a</figcaption></figure>', ''),
      ],
      [
        row('<img src="/media/a-1.webp" alt="a" />', '<br />'),
        row('<img src="/media/a-1.webp" alt="a" />', ''),
      ],
      [
        '<table><tr><td rowspan="2">a</td><td><br /></td></tr><tr><td>b</td></tr></table>',
        '<table><tr><td rowspan="2">a</td><td></td></tr><tr><td>b</td></tr></table>',
      ],
      [
        '<table><tr><td>a</td></tr><tr><td><br /></td><td>b</td></tr></table>',
        '<table><tr><td>a</td></tr><tr><td></td><td>b</td></tr></table>',
      ],
    ] as const)
      assert.equal(isReadTheSame(one, other), false, one);
  });
});

function row(one: string, other: string): string {
  return `<table><tr><td>${one}</td><td>${other}</td></tr></table>`;
}
