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

  it('count once where bold or other marked words end a link with one', () => {
    for (const mark of marks.slice(1)) {
      const link = (words: string) => `<p>See <a href="/x">${around(mark, words)}</a>`;
      const told = `${link('rates ')}now</p>`;
      assert.ok(isReadTheSame(`${link('rates ')} now</p>`, told), mark);
      for (const other of [
        `${link('rates')} now</p>`,
        `${link('rates')}now</p>`,
        `${link('rates&nbsp;')}now</p>`,
        `${link('rates ')}&nbsp;now</p>`,
        `${link('rates ')}<br />now</p>`,
        `${link('rates ').replace('/x', '/y')}now</p>`,
      ])
        assert.equal(isReadTheSame(told, other), false, other);
    }
    for (const blanks of ['&nbsp;', '&nbsp;&nbsp;', '']) {
      const html = (rest: string) => `<p><a href="/x"><em>a${blanks}</em></a>${rest}</p>`;
      assert.equal(isReadTheSame(html(' b'), html('b')), false, blanks);
    }
  });

  it('are told at the end of a line where a link is around them alone', () => {
    for (const rest of ['', '<br />b', '<img src="/media/a-1.webp" alt="" />', ' ', '<u> </u>'])
      for (const blank of [' ', '<em> </em>', ' <u>\n</u>']) {
        const html = (start: string, end = '</a>') => `<p>a${start}${blank}${end}${rest}</p>`;
        assert.equal(isReadTheSame(html('<a href="/x">'), html('<a href="/y">')), false);
        assert.equal(isReadTheSame(html('<a href="/x">'), html('', '')), false);
        assert.ok(isReadTheSame(html('<a>'), html('', '')));
      }
    const link = (inner: string) => `<p><u><a href="/x">${inner}</a></u></p>`;
    assert.ok(isReadTheSame(link('a<em> </em>'), link('a')));
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

  it('are words where no line breaks at them', () => {
    for (const [one, other, isSame] of [
      ['<p>a<br />\u{A0}</p>', '<p>a\u{A0}</p>', false],
      ['<p>a<br />\u{A0}<br /></p>', '<p>a<br />\u{A0}</p>', true],
      ['<p>a\u{A0}<br /></p>', '<p>a\u{A0}</p>', true],
      ['<ul><li>\u{A0}<p><br /></p></li></ul>', '<ul><li></li></ul>', false],
    ] as const)
      assert.equal(isReadTheSame(one, other), isSame, one);
  });
});

function around(mark: string, words: string): string {
  return `<${mark}>${words}</${mark.split(' ')[0]}>`;
}
