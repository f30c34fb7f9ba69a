import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  JsonRefused,
  TooManyParts,
  doubtfulTexts,
  findDoubtfulText,
  parseStrictly,
} from './strict-json.ts';

describe('parseStrictly', () => {
  it('reads what JSON.parse reads, whatever stands in strings', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        fc.pre(!/"(__proto__|constructor|prototype)"/.test(JSON.stringify(value)));
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(parseStrictly(text), JSON.parse(text));
      }),
    );
  });

  for (const [what, text] of [
    ['nothing that is JSON', '{"a":'],
    ['text after the value', '{}{}'],
    ['a duplicate key', '{"a":1,"b":{"a":2},"a":3}'],
    ['a duplicate key in disguise', '{"a":1,"\\u0061":2}'],
    ['a duplicate key deep inside', '[[{"x":{"y":1,"y":2}}]]'],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['__proto__ in disguise', '{"__pro\\u0074o__" : 1}'],
    ['constructor', '{"a":[{"constructor":{}}]}'],
    ['an abyss', '['.repeat(200) + ']'.repeat(200)],
    ['an abyss without an end', '['.repeat(100_000)],
    ['a text without an end', '{"a":"b\\'],
    ['a key that is no text', '{"\\x":1}'],
    ['brackets that were never opened', '}]{"a":1}'],
    ['NaN', '{"a":NaN}'],
  ] as const) {
    it(`refuses ${what}`, () => assert.throws(() => parseStrictly(text), JsonRefused));
  }

  it('allows the same key in two objects, and as a value', () => {
    const text = '[{"a":"a"},{"a":"{\\"a\\":1,\\"a\\":2}"},"__proto__"]';
    assert.deepEqual(parseStrictly(text), JSON.parse(text));
  });
});

describe('the limits of parseStrictly', () => {
  const limits = { keys: 2, items: 3, parts: 6 };

  for (const text of [
    '{"a":1,"b":",,,{[,"}',
    '[1,2,3]',
    '[[1,2],[{}]]',
    '{"a":[1,2],"b":[[]]}',
    '[]',
    '1',
  ]) {
    it(`let ${text} pass`, () => assert.deepEqual(parseStrictly(text, limits), JSON.parse(text)));
  }

  for (const [what, text] of [
    ['an object of three keys', '{"a":1,"b":2,"c":3}'],
    ['the same deep inside', '[[{"a":1,"b":2,"c":3}]]'],
    ['an array of four items', '[1,2,3,4]'],
    ['the same within another', '[[1],[2,3,4,5]]'],
    ['seven in all', '[[1,2],[1,2],[1,2]]'],
    ['empty objects as well', '{"a":[{},{}],"b":[{},{}]}'],
    ['what is no JSON behind them', '[1,2,3,4'],
  ] as const) {
    it(`refuse ${what}`, () => assert.throws(() => parseStrictly(text, limits), TooManyParts));
  }

  it('are none where none are named', () => {
    const text = JSON.stringify(Array.from({ length: 30_000 }, () => ({})));
    assert.deepEqual(parseStrictly(text), JSON.parse(text));
  });
});

describe('findDoubtfulText', () => {
  it('names the place of characters that nobody types', () => {
    assert.equal(findDoubtfulText({ a: ['fine', { b: 'nul\u0000' }] }), 'a.1.b');
    assert.equal(findDoubtfulText({ a: '\ud800' }), 'a');
    assert.equal(findDoubtfulText({ a: 'escape \u001b[31m' }), 'a');
    assert.equal(findDoubtfulText({ 'k\u0007': 1 }), 'k\u0007');
  });

  it('lets every language and line breaks pass', () => {
    assert.equal(findDoubtfulText({ a: 'Zoë — نقدًا 換錢 🙂\r\n\tend', n: 1, z: null }), null);
  });
});

describe('doubtfulTexts', () => {
  it('names the first ones only', () => {
    const value = [{ a: '\u0000' }, 'fine', '\u0001', '\u0002'];
    assert.deepEqual(doubtfulTexts(value, 2), ['0.a', '2']);
    assert.deepEqual(doubtfulTexts(value, 9), ['0.a', '2', '3']);
  });
});
