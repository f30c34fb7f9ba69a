import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { piecesOf } from './unbroken.ts';

const wholes = (text: string) =>
  piecesOf(text)
    .filter(({ whole }) => whole)
    .map((piece) => piece.text);

describe('what stays in one line', () => {
  it('is a number, a code, a pair, and "e-mail"', () => {
    assert.deepEqual(wholes('Exchange CX-F73K-Q92D, EX-1234: BTC-USDT on 2026-11-21 by E-mail.'), [
      'CX-F73K-Q92D',
      'EX-1234',
      'BTC-USDT',
      '2026-11-21',
      'E-mail',
    ]);
    assert.deepEqual(wholes('your order:CX-0000-AAAA'), ['CX-0000-AAAA']);
  });

  it('is no ordinary compound, nor what is too long for a line', () => {
    assert.deepEqual(wholes('A well-known follow-up – of Anne-Marie'), []);
    assert.deepEqual(wholes('0199a7c2-3f6e-7c1a-b0e4-5d3c2b1a0f9e'), []);
    assert.deepEqual(wholes('A - B, -1, CX-'), []);
  });

  it('loses nothing of the text', () => {
    for (const text of ['', 'CX-1', 'a CX-1-B b-c CX-2', '-x-', 'e-mail e-mail', 'وصل CX-7F3K'])
      assert.equal(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(''),
        text,
      );
    assert.deepEqual(piecesOf('by and-by'), [{ text: 'by and-by', whole: false }]);
  });
});
