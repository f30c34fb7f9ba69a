import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withQuotedParagraphs } from './quotations.ts';
import { isReadTheSame } from './readable.ts';

describe('words of a quotation without a paragraph', () => {
  it('are read as the paragraph that the editor puts around them', () => {
    for (const words of [
      'bare quote',
      'a<br />b',
      '<br />',
      '<strong>a</strong> <a href="/x">b</a>',
      '<code>a</code> 1',
      'שלום',
      'שלום <code>a</code>',
    ]) {
      const [bare, whole] = [quoted(words), quoted(`<p>${words}</p>`)];
      assert.ok(isReadTheSame(bare, whole), words);
      assert.ok(isReadTheSame(`<ul><li>${bare}</li></ul>`, `<ul><li>${whole}</li></ul>`), words);
    }
  });

  it('are told from paragraphs where these stand apart or in another direction', () => {
    for (const [bare, whole] of [
      ['a<p>b</p>', '<p>a</p><p>b</p>'],
      ['<p>a</p>b', '<p>a</p><p>b</p>'],
      ['a<ul><li>b</li></ul>', '<p>a</p><ul><li>b</li></ul>'],
      ['a<br />שלום', '<p>a<br />שלום</p>'],
      ['<code>שלום</code>', '<p><code>שלום</code></p>'],
    ] as const)
      assert.equal(isReadTheSame(quoted(bare), quoted(whole)), false, bare);
    const item = (words: string) => `<ul><li>שלום${quoted(words)}</li></ul>`;
    for (const words of ['1', '&amp; 1', '&nbsp;1'])
      assert.equal(isReadTheSame(item(words), item(`<p>${words}</p>`)), false, words);
    assert.ok(isReadTheSame(item('&amp; b'), item('<p>&amp; b</p>')));
  });

  it('are found in time that grows with the text', () => {
    const began = performance.now();
    for (const html of ['<blockquote>a '.repeat(20_000), quoted('<em>a</em> b '.repeat(20_000))])
      assert.ok(withQuotedParagraphs(html).length >= html.length);
    assert.ok(performance.now() - began < 5_000);
  });
});

function quoted(words: string): string {
  return `<blockquote>${words}</blockquote>`;
}
