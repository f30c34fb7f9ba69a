import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReadTheSame, plain, stretchesOf } from './readable.ts';

const marks = ['a href="/x"', 'em', 'u', 's', 'sup', 'sub', 'mark', 'strong', 'code', 'kbd'];

describe('blanks and breaks at the edges of marks', () => {
  it('count once where a link ends with one', () => {
    const links = [
      '<p>See <a href="/x"> our rates </a> today.</p>',
      '<p>See <a href="/x">our rates </a>today.</p>',
    ] as const;
    assert.ok(isReadTheSame(...links));
    assert.equal(plain(stretchesOf(links[1])), 'See our rates (/x) today.');
    for (const other of [
      '<p>See <a href="/x">our rates</a> today.</p>',
      '<p>See <a href="/x">our rates</a>today.</p>',
      '<p>See<a href="/x"> our rates </a>today.</p>',
      '<p>See <a href="/x">our rates&nbsp;</a>today.</p>',
    ])
      assert.equal(isReadTheSame(links[1], other), false, other);
  });

  it('are drawn behind one at which no line breaks', () => {
    for (const mark of marks) {
      const html = (rest: string) => `<p>${around(mark, 'a &nbsp;')}${rest}</p>`;
      assert.equal(isReadTheSame(html(' b'), html('b')), false, mark);
      const [one, other] = [around(mark, 'a&nbsp; '), 'b'];
      assert.ok(isReadTheSame(`<p>${one} ${other}</p>`, `<p>${one}${other}</p>`), mark);
    }
  });

  it('make a line at the end of code, whose edge is drawn there', () => {
    for (const mark of marks) {
      const [one, other] = [around(mark, 'a<br />'), around(mark, 'a')];
      const isEdged = mark === 'code' || mark === 'kbd';
      assert.equal(isReadTheSame(`<p>${one}</p>`, `<p>${other}</p>`), !isEdged, mark);
      assert.ok(isReadTheSame(`<p>${other}<br /></p>`, `<p>${other}</p>`), mark);
    }
  });

  it('count for nothing behind a line break', () => {
    for (const mark of marks) {
      const [one, other] = [around(mark, 'a<br />\n'), around(mark, 'a<br />')];
      for (const rest of ['b', '', '<br />b', ' <em>b</em>'])
        assert.ok(isReadTheSame(`<p>${one}${rest}</p>`, `<p>${other}${rest}</p>`), mark);
    }
    assert.equal(isReadTheSame('<pre>a<br /> b</pre>', '<pre>a<br />b</pre>'), false);
    assert.equal(isReadTheSame('<p>a<br />&nbsp;b</p>', '<p>a<br />b</p>'), false);
  });
});

function around(mark: string, words: string): string {
  return `<${mark}>${words}</${mark.split(' ')[0]}>`;
}
