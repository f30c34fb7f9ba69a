import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakable } from './breakable.ts';

describe('where an address may break', () => {
  it('is behind its @ and its dots', () => {
    assert.deepEqual(breakable('ana.lopez@mail.example.com'), [
      '',
      'ana.',
      'lopez@',
      'mail.',
      'example.',
      'com',
      '',
    ]);
  });

  it('is never beside one or two signs, nor within a text without an address', () => {
    assert.deepEqual(breakable('j.r.r.t@x.io').slice(1, -1), ['j.r.', 'r.t@', 'x.io']);
    assert.deepEqual(breakable('An ordinary.sentence'), ['An ordinary.sentence']);
    for (let length = 1; length <= 64; length += 1) {
      const address = `${'a'.repeat(length)}@${'b'.repeat(length)}.example`;
      const pieces = breakable(`Nobody has confirmed ${address} yet.`);
      assert.equal(pieces.join(''), `Nobody has confirmed ${address} yet.`);
      for (const piece of pieces) assert.ok(piece.length >= 3 && piece.length <= 27, piece);
    }
  });
});
