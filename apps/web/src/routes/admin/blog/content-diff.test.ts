import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { contentDiff } from './content-diff.ts';

const content: PostContent = {
  slug: 'a',
  title: 'A post',
  excerpt: '',
  body: '<p>One two three.</p>',
  cover: null,
  cover_alt: '',
  author: 'Ada',
  tags: ['Rates'],
  canonical: null,
  meta_title: '',
  meta_description: '',
  head_script: '',
};

describe('contentDiff', () => {
  it('says nothing where nothing differs', () => {
    assert.deepEqual(contentDiff(content, { ...content, body: '<p>One two three.</p> ' }), []);
  });

  it('names the words that went and came, field by field', () => {
    const diff = contentDiff(content, {
      ...content,
      body: '<p>One 2 three.</p>',
      tags: ['Rates', 'Gold'],
    });
    assert.deepEqual(
      diff.map(({ field }) => field),
      ['body', 'tags'],
    );
    const words = (kind: string) =>
      diff[0]?.parts.filter((part) => part.kind === kind).map(({ text }) => text);
    assert.deepEqual(words('removed'), ['two']);
    assert.deepEqual(words('added'), ['2']);
  });

  const bodyDiff = (before: string, after: string) =>
    contentDiff({ ...content, body: before }, { ...content, body: after })[0];
  /** As it is read: [-went-], {+came+}, <set anew>. */
  const read = (before: string, after: string) => {
    const { parts = [], kinds = [] } = bodyDiff(before, after) ?? {};
    const marks = { same: '|', anew: '<|>', removed: '[-|-]', added: '{+|+}' };
    return [parts.map(({ kind, text }) => marks[kind].replace('|', () => text)).join(''), ...kinds];
  };

  it('shows by their signs lists that are of another kind or have other numbers', () => {
    for (const body of ['<ol><li>a</li></ol>', '<ul><li>a</li></ul>'])
      assert.match(read('<ol start="3"><li>a</li></ol>', body)[0] ?? '', /\{\+/);
  });

  it('marks words that stayed and are set anew, alone and beside other changes', () => {
    const one = '<p>One <u>two three</u> four, and five more of it.</p>';
    assert.deepEqual(read(one, one.replaceAll(/<.?u>/g, '')), [
      'One <two three> four, and five more of it.',
      'underlining',
    ]);
    assert.deepEqual(
      read(one, '<p>One <u>two</u> three four, and <u>six</u> more <mark>of</mark> it.</p>'),
      ['One two <three> four, and [-five-]{+six+} more <of> it.', 'underlining', 'marking'],
    );
    assert.deepEqual(read('<p>H<sub>2</sub>O is wet.</p>', '<p>H2O is wet, too.</p>'), [
      '<H2O> is wet{+, too+}.',
      'raised',
    ]);
  });

  it('marks them also in lines that are compared one with one', () => {
    const [one, other] = ['Alpha beta gamma delta.', 'One more that came in between.'];
    assert.deepEqual(
      read(
        `<p>${other}</p><p>${one}</p><p>End of it.</p>`,
        `<p>${one.replace('beta', '<u>beta</u>').replace('gamma', 'GAMMA')}</p><p>End of it.</p>`,
      ),
      [`[-${other}-]\nAlpha <beta> [-gamma-]{+GAMMA+} delta.\nEnd of it.`, 'underlining'],
    );
  });

  it('says too that an empty paragraph went beside one that is another now', () => {
    const [shown, ...kinds] = read(
      '<p>Alpha beta gamma.</p><p>&nbsp;</p><p>End of it.</p>',
      '<p>Quite other words here.</p><p>End of it.</p>',
    );
    assert.equal(shown, '[-Alpha beta gamma.-]\n{+Quite other words here.+}\nEnd of it.');
    assert.deepEqual(kinds, ['paragraphs']);
  });

  it('says in what elements texts differ where neither a word nor a setting does', () => {
    assert.deepEqual(
      bodyDiff('<ul><li>a</li></ul><ul><li>b</li></ul>', '<ul><li>a</li><li>b</li></ul>'),
      {
        field: 'body',
        parts: [],
        kinds: ['lists'],
      },
    );
  });

  const kindsOf = (before: string, after: string) => bodyDiff(before, after)?.kinds;
  const list = (...items: string[]) =>
    `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  const quote = (...texts: string[]) =>
    `<blockquote>${texts.map((each) => `<p>${each}</p>`).join('')}</blockquote>`;
  const table = (...rows: string[]) =>
    `<table><tbody>${rows.map((row) => `<tr><td>${row}</td></tr>`).join('')}</tbody></table>`;
  const [a, b, c] = ['Alpha beta gamma', 'Delta epsilon', 'Zeta eta theta'];

  it('says beside words that lists are parted', () => {
    assert.deepEqual(kindsOf(list(a, b, c), list(a) + list(b, c, 'Iota')), ['lists']);
    assert.deepEqual(kindsOf(list(a) + list(b, `${c} one`), list(a, b) + list(`${c} two`)), [
      'lists',
    ]);
    assert.deepEqual(kindsOf(list(a, b), list(a) + list('Delta other')), ['lists']);
    assert.deepEqual(kindsOf(list(a, b), list(a, 'Iota') + list(b)), ['lists']);
    assert.deepEqual(kindsOf(list(a, 'Iota') + list(b), list(a, b)), ['lists']);
    assert.deepEqual(kindsOf(quote(a, b), quote(a) + quote(`${b} zeta`)), ['quotations']);
    assert.deepEqual(kindsOf(quote(a) + quote(b), quote(a, `${b} zeta`)), ['quotations']);
    assert.deepEqual(kindsOf(table(a, b), table(a) + table(b, c)), ['tables']);
    assert.deepEqual(kindsOf(table(a, 'Iota') + table(b), table(a, b)), ['tables']);
  });

  it('says so too where there are lists within the items, the rows or the quotation', () => {
    const one = `${a}${list('Iota kappa')}`;
    assert.deepEqual(kindsOf(`<p>c</p>${list(one, b)}`, `<p>d</p>${list(one)}${list(b)}`), [
      'lists',
    ]);
    assert.deepEqual(kindsOf(list(one) + list(b), list(one, `${b} zeta`)), ['lists']);
    const rows = [list(a, b), list(c, 'Iota')] as const;
    assert.deepEqual(kindsOf(table(...rows), `${table(rows[0])}${table(rows[1])}<p>d</p>`), [
      'tables',
    ]);
    assert.deepEqual(
      kindsOf(
        `${quote(a)}<blockquote>${list(b)}</blockquote>`,
        `<blockquote><p>${a}</p>${list(`${b} zeta`)}</blockquote>`,
      ),
      ['quotations'],
    );
  });

  it('says it of no list that got or lost an item', () => {
    assert.deepEqual(kindsOf(list(a, b), list('Iota', a, b)), []);
    assert.deepEqual(kindsOf(list(a, b, c), list(b, c)), []);
    assert.deepEqual(kindsOf(`<p>a</p>${list(b)}<p>c</p>`, `<p>a</p>${list(b, c)}<p>c</p>`), []);
    assert.deepEqual(kindsOf(list(a) + list(b), `${list(a)}<p>Iota</p>${list(b)}`), []);
    assert.deepEqual(kindsOf(list(a) + list(b), list(a, 'Iota') + list(b)), []);
    const nested = (...items: string[]) => list(a, `${b}${list(...items)}`, c);
    assert.deepEqual(kindsOf(nested('Iota'), nested('Iota', 'Kappa')), []);
    assert.deepEqual(kindsOf(table(a, b), table(a, b, c)), []);
  });

  it('takes no new item for an old one of another list for a short word that both have', () => {
    assert.deepEqual(
      kindsOf(list(a, 'Iota of kappa') + list(c), list(a) + list('Lambda of omega', c)),
      [],
    );
    assert.deepEqual(kindsOf(list(a, '') + list(c), list(a) + list('Iota', c)), []);
  });

  it('says in what texts differ where no word does', () => {
    for (const [before, after, shown, ...kinds] of [
      ['<p>10&nbsp;EUR</p>', '<p>10 EUR</p>', '10< >EUR', 'spaces'],
      ['<p>a</p><p>&nbsp;</p><p>b</p>', '<p>a</p><p>b</p>', 'a<\n>b', 'paragraphs'],
      ['<p>a</p><p>&nbsp;</p>', '<p>a</p>', '', 'paragraphs'],
      [
        '<img src="/a" alt="A" width="1" height="1">',
        '<img src="/a" alt="A" width="2" height="2">',
        '<[A](/a)>',
        'pictures',
      ],
      ['<p>• **a**</p>', '<ul><li><strong>a</strong></li></ul>', '<• **>a<**>', 'signs'],
      ['<p>## Fees</p>', '<h2>Fees</h2>', '<##> Fees', 'signs'],
      [
        '<p>Do <a href="/x">read this</a> now.</p>',
        '<p>Do read <a href="/x">this</a> now.</p>',
        'Do <read> this (/x) now.',
        'links',
      ],
      ['<h2 id="a">Fees</h2>', '<h2 id="b">Fees</h2>', '<##> Fees', 'anchors'],
    ] as const)
      assert.deepEqual(read(before, after), [shown, ...kinds]);
  });

  it('says nothing of the last end of a line of code, and of blanks that a browser draws together', () => {
    for (const [before, after] of [
      ['<pre><code>a\n</code></pre>', '<pre><code>a</code></pre>'],
      ['<p>one\ntwo</p>', '<p>one two</p>'],
    ] as const)
      assert.equal(bodyDiff(before, after), undefined);
  });

  it('takes structured data that was written anew for the same', () => {
    const typed = '{ "@context": "https://schema.org", "text": "a </script>" }';
    const written = String.raw`[{"@context":"https://schema.org","text":"a \u003c/script\u003e"}]`;
    const [one, other] = [typed, written].map((head_script) => ({ ...content, head_script }));
    assert.ok(one && other);
    assert.deepEqual(contentDiff(one, other), []);
    assert.equal(contentDiff(one, { ...other, head_script: '{' }).length, 1);
  });

  it('sees a link that leads elsewhere though its words stayed', () => {
    const [diff] = contentDiff(
      { ...content, body: '<p><a href="/a">x</a></p>' },
      { ...content, body: '<p><a href="/b">x</a></p>' },
    );
    assert.ok(diff?.parts.some(({ kind, text }) => kind === 'added' && text.includes('b')));
  });

  it('cuts what stayed in its middle, never what changed', () => {
    const long = 'sentence '.repeat(400);
    const [diff] = contentDiff(
      { ...content, body: `<p>${long}old${long}</p>` },
      { ...content, body: `<p>${long}new${long}</p>` },
    );
    const text = diff?.parts.map((part) => part.text).join('') ?? '';
    assert.ok(text.length < 600 && text.includes('old') && text.includes('new'));
    assert.match(text, /^(?:(?:old|new)?sentence|…|\s)+$/);
  });
});
