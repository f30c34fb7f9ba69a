import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isReadTheSame, plain, stretchesOf } from './readable.ts';
import { withSeenEdges } from './seen-edges.ts';
import { pieces } from './tags.ts';

const picture = '<img src="/media/a-1.webp" alt="" />';
const names = ['a href="/x"', 'strong', 'em', 's', 'u', 'mark', 'sub', 'code'];
const mark = (inner: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...names), inner)
    .map(([name, html]) => `<${name}>${html}</${name.split(' ')[0]}>`);
const some = (one: fc.Arbitrary<string>) =>
  fc.array(one, { maxLength: 3 }).map((all) => all.join(''));

const word = fc.constantFrom('a', 'b ', ' c', ' ', '<br />', 'd');
/** Words and pictures, each link with an address of its own. */
const lines = fc.letrec<{ line: string; inMarks: string }>((tie) => ({
  line: some(fc.oneof(word, mark(tie('inMarks')))),
  inMarks: some(fc.oneof({ depthSize: 'small' }, word, fc.constant(picture), mark(tie('inMarks')))),
}));
const line = lines.line.map((html) => {
  let links = 0;
  return html.replaceAll('"/x"', () => `"/${(links += 1)}"`);
});
const block = fc
  .tuple(fc.constantFrom('p', 'h3', 'blockquote'), line)
  .map(([name, html]) => `<${name}>${html}</${name}>`);
const inItem = some(
  fc.oneof(line, block, fc.constantFrom(picture, '<hr />'), mark(some(fc.oneof(line, block)))),
);

const homes: readonly ((inner: string) => string)[] = [
  (inner) => `<ul><li>${inner}</li><li>e</li></ul>`,
  (inner) => `<ul><li><p>e</p>${inner}<ul><li>f</li></ul></li></ul>`,
  (inner) => `<table><tbody><tr><th>${inner}</th><td>e</td></tr></tbody></table>`,
  (inner) => `<table><tbody><tr><td>e</td><td>${inner}</td></tr></tbody></table>`,
  (inner) => `<dl><dt>e</dt><dd>${inner}</dd></dl>`,
];
const home = fc.constantFrom(...homes);

describe('items and cells', () => {
  it('are read the same with a paragraph around their words and without one', () => {
    fc.assert(
      fc.property(home, line, (around, html) => {
        const [bare, held] = [around(html), around(`<p>${html}</p>`)];
        assert.deepEqual(stretchesOf(bare), stretchesOf(held));
        assert.ok(isReadTheSame(bare, held));
        const read = plain(stretchesOf(bare));
        for (const address of linksAround(html)) assert.ok(read.includes(`(${address})`), read);
        assert.equal(read.split('[](').length, html.split(picture).length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are read the same where pictures part the words, but for where paragraphs begin', () => {
    const parted = some(fc.oneof(line, fc.constant(picture)));
    const words = (html: string) => stretchesOf(html).slice(0, -1);
    fc.assert(
      fc.property(home, parted, (around, html) => {
        assert.deepEqual(words(around(html)), words(around(`<p>${html}</p>`)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('get paragraphs alone, and never one that ends within a mark', () => {
    fc.assert(
      fc.property(home, inItem, (around, inner) => {
        const html = around(inner);
        const written = withSeenEdges(html);
        assert.ok(isNested(written), written);
        assert.equal(withoutEdges(written), withoutEdges(html));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The addresses of links with words or a picture in them. */
function linksAround(html: string): string[] {
  const open: string[] = [];
  const found = new Set<string>();
  for (const [whole, end, name, attributes = ''] of html.matchAll(pieces)) {
    if (name === undefined ? whole.trim() !== '' : name === 'img')
      for (const address of open) if (address !== '') found.add(address);
    if (name === undefined || name === 'img' || name === 'br') continue;
    if (end) open.pop();
    else open.push(/href="([^"]*)"/.exec(attributes)?.[1] ?? '');
  }
  return [...found];
}

function isNested(html: string): boolean {
  const open: string[] = [];
  for (const [, end, name] of html.matchAll(pieces)) {
    if (name === undefined || ['br', 'hr', 'img'].includes(name)) continue;
    if (!end) open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

function withoutEdges(html: string): string {
  return html.replaceAll(/<\/?p>|<br \/>|\s(?![^<>]*>)/g, '');
}
