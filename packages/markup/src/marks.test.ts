import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanHtml } from './html.ts';
import { inOneOrder } from './marks.ts';

const names = ['a href="/x"', 'strong', 'em', 'u', 's', 'mark', 'sub'];
const free = ['strong', 'em'];
const level = ['u', 's', 'mark'];

const areAlike = (one: string, other: string) =>
  free.includes(one) ||
  free.includes(other) ||
  (level.includes(one) && level.includes(other)) ||
  [one, other].toSorted().join() === `${names[0]},mark`;

/** A row of numbers that is the same each time. Source: Park and Miller's minimal standard generator. */
function numbers(): (below: number) => number {
  let last = 20_261_123;
  return (below) => (last = (last * 48_271) % 0x7f_ff_ff_ff) % below;
}

interface Run {
  text: string;
  marks: readonly string[];
}

describe('marks in one order', () => {
  it('are the same however they were nested, parted or begun again', () => {
    const number = numbers();
    const pick = (from: readonly string[]) => from[number(from.length)] ?? '';

    const nested = (open: readonly string[], runs: Run[]): string =>
      Array.from({ length: 1 + number(3) }, () => {
        const left = names.filter((name) => !open.includes(name));
        if (number(2) === 0 || left.length < 3) {
          const run = { text: pick(['a', 'b', 'cd', 'e f', 'g ']), marks: open };
          runs.push(run);
          return run.text;
        }
        const name = pick(left);
        return around(nested([...open, name], runs), [name]);
      }).join('');
    const shuffled = (marks: readonly string[]) => {
      const order = [...marks];
      for (let turn = 0; turn < 8; turn += 1)
        for (const [place, one] of order.slice(0, -1).entries()) {
          const other = order[place + 1] ?? '';
          if (order[place] === one && areAlike(one, other) && number(2) === 0)
            order.splice(place, 2, other, one);
        }
      return order;
    };

    for (let turn = 0; turn < 2_000; turn += 1) {
      const runs: Run[] = [];
      const one = nested([], runs);
      const other = runs.map(({ text, marks }) => around(text, shuffled(marks))).join('');
      const written = inOneOrder(one);
      assert.equal(inOneOrder(other), written, `${one}\n${other}`);
      assert.equal(inOneOrder(written), written);
      assert.equal(withoutTags(written), withoutTags(one));
      assert.deepEqual(letters(written), letters(one));
    }
  });

  it('join nothing that is set otherwise', () => {
    const number = numbers();
    const word = () => {
      const marks = Array.from({ length: number(4) }, () => names[number(names.length)] ?? '');
      return around('a', marks);
    };
    for (let turn = 0; turn < 2_000; turn += 1) {
      const html = word() + word() + word();
      assert.deepEqual(letters(inOneOrder(html)), letters(html), html);
    }
  });

  it('keep what is seen of their nesting, and the edges of code', () => {
    for (const html of [
      '<p><mark><code>a</code></mark></p>',
      '<p><code><mark>a</mark></code></p>',
      '<p><sup><u>a</u></sup></p>',
      '<p><code>a</code><code>b</code></p>',
      '<p>a<code></code>b</p>',
      '<p><code><br />a</code></p>',
      '<p><strong>a <em>b</em> c</strong></p>',
      '<p><a href="/x">a</a><a href="/y">b</a></p>',
      '<pre><code class="language-ts"><strong>a</strong>\n</code></pre>',
      '<p><a href="/x"><img src="/media/a-1.webp" alt="" /></a></p>',
    ])
      assert.equal(inOneOrder(html), html);
    assert.equal(inOneOrder('<p><u>a<br /></u><em></em></p>'), '<p><u>a</u><br /></p>');
  });

  it('do not slant code, whose font has no slanted letters', () => {
    for (const [html, written] of [
      ['<p><em><code>npm start</code></em></p>', '<p><code>npm start</code></p>'],
      ['<p><code>a <em>b</em> “ő”</code></p>', '<p><code>a b “ő”</code></p>'],
      ['<p><strong><em><kbd>a</kbd></em></strong></p>', '<p><kbd><strong>a</strong></kbd></p>'],
      ['<pre><code>a\n<em>b</em></code></pre>', '<pre><code>a\nb</code></pre>'],
      ['<p><em>a <code>b</code> c</em></p>', '<p><em>a </em><code>b</code><em> c</em></p>'],
    ] as const)
      assert.equal(inOneOrder(html), written);
    for (const html of [
      '<p><code><em>→</em></code></p>',
      '<p><code><em>пуск</em></code></p>',
      '<p><code><strong>a</strong></code></p>',
      '<p><em>a</em></p>',
    ])
      assert.equal(inOneOrder(html), html);
  });

  it('are left alone where one holds a block, is not closed, or they are nested deeper than eight', () => {
    const deep = around(
      'a',
      Array.from({ length: 9 }, (_, depth) => (depth % 2 ? 'sub' : 'sup')),
    );
    for (const html of [cleanHtml('<strong><p>a</p></strong>'), '<u>a<mark>', deep])
      assert.equal(inOneOrder(html), html);
  });
});

/** Each letter with all that is seen of its marks: which pairs stand in which order, and how often. */
function letters(html: string): string[] {
  const open: string[] = [];
  return [...html.matchAll(/<(\/?)([^>]*)>|[^<]/g)].flatMap(([whole, end, tag]) => {
    if (tag === undefined) return [`${whole} ${seenOf(open)}`];
    if (end) open.pop();
    else open.push(tag);
    return [];
  });
}

function seenOf(open: readonly string[]): string {
  const once = open.filter((mark, place) => {
    const earlier = open.slice(0, place);
    const box = earlier.findLastIndex((each) => !areAlike(each, mark));
    return !earlier.slice(box + 1).includes(mark);
  });
  const pairs = once.flatMap((outer, place) =>
    once.slice(place + 1).flatMap((inner) => (areAlike(outer, inner) ? [] : `${outer} > ${inner}`)),
  );
  return [...once.toSorted(), ...pairs.toSorted()].join();
}

function around(html: string, marks: readonly string[]): string {
  const open = marks.map((mark) => `<${mark}>`).join('');
  const close = marks.toReversed().map((mark) => `</${mark.split(' ')[0]}>`);
  return open + html + close.join('');
}

function withoutTags(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '');
}
