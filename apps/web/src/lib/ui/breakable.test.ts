import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakable } from './breakable.ts';

const partsOf = (text: string) => breakable(text).map((pieces) => pieces.join(''));

describe('an email address', () => {
  it('breaks after its @ and its dots', () => {
    assert.deepEqual(breakable('ana.lopez@mail.example.com'), [
      ['ana.'],
      ['lopez@'],
      ['mail.'],
      ['example.com'],
    ]);
  });

  it('does not break before the end of the host', () => {
    assert.deepEqual(partsOf('ana@desk.photography'), ['ana@', 'desk.photography']);
    assert.deepEqual(partsOf('ana@shop.example.co.uk'), ['ana@', 'shop.', 'example.', 'co.uk']);
    assert.deepEqual(partsOf('Ana (ana@desk.example)'), ['Ana ', '(ana@', 'desk.example)']);
    assert.deepEqual(partsOf('ana@localhost'), ['ana@', 'localhost']);
    for (let length = 1; length <= 64; length += 1) {
      const pieces = breakable(`ana@${'a'.repeat(length)}.com`).flat();
      assert.match(pieces.at(-1) ?? '', /a\.com$/);
    }
  });

  it('breaks within a part only when a line is too short for it', () => {
    const [name, ...host] = breakable(`${'a'.repeat(30)}@desk.example`);
    assert.deepEqual(host, [['desk.example']]);
    assert.equal(name?.join(''), `${'a'.repeat(30)}@`);
    assert.deepEqual(
      name?.map(({ length }) => length),
      [10, 11, 10],
    );
  });

  it('does not break beside one or two characters, nor in a text without an address', () => {
    assert.deepEqual(partsOf('j.r.r.t@x.io'), ['j.r.', 'r.t@', 'x.io']);
    for (const text of ['An ordinary.sentence', 'a'.repeat(40)])
      assert.deepEqual(breakable(text), [[text]]);
    for (let length = 1; length <= 64; length += 1) {
      const address = `${'a'.repeat(length)}@${'b'.repeat(length)}.example`;
      const text = `Nobody has confirmed ${address} yet.`;
      assert.equal(partsOf(text).join(''), text);
      for (const piece of breakable(text).flat())
        assert.ok(piece.length >= 3 && piece.length <= 27, piece);
    }
  });
});
