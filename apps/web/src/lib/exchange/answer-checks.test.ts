import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Field } from '@cambist/contract/currencies';
import {
  accountGroups,
  answerFault,
  answerFaults,
  answersFor,
  answerShown,
} from './answer-checks.ts';

const field = (check: Field['check'], more: Partial<Field> = {}): Field => ({
  key: 'f',
  label: 'F',
  check,
  required: true,
  ...more,
});

const tron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const cases: [Field, string, string | null][] = [
  [field('iban'), 'DE89 3704 0044 0532 0130 00', null],
  [field('iban'), 'DE89 3704 0044 0532 0130 01', 'iban'],
  [field('address', { pattern: 'T[A-Za-z0-9]{33}' }), tron, null],
  [field('address', { pattern: '0x[A-Fa-f0-9]{40}' }), tron, 'address'],
  [field('address'), 'too short', 'address'],
  [field('pattern', { pattern: '[0-9]{9}' }), '123456789', null],
  [field('pattern', { pattern: '[0-9]{9}' }), '1234567890', 'pattern'],
  [field('pattern', { pattern: '(' }), 'anything', null],
  [field('text'), '', 'missing'],
  [field('text', { required: false }), '   ', null],
];

describe('answerFault', () => {
  for (const [of, answer, expected] of cases) {
    it(`finds ${expected ?? 'nothing'} in "${answer}" as ${of.check}`, () => {
      assert.equal(answerFault(of, answer), expected);
    });
  }
});

describe('answersFor', () => {
  const fields = [field('text', { key: 'a' }), field('text', { key: 'b', required: false })];
  it('sends only what is asked for and answered', () => {
    assert.deepEqual(answersFor(fields, { a: ' x ', b: ' ', old: 'y' }), { a: 'x' });
  });
  it('names each faulty field', () => {
    assert.deepEqual(answerFaults(fields, {}), { a: 'missing' });
  });
});

describe('accountGroups', () => {
  it('groups an IBAN by four, however it was typed', () => {
    const groups = ['DE89', '3704', '0044', '0532', '0130', '00'];
    assert.deepEqual(accountGroups('DE89370400440532013000'), groups);
    assert.deepEqual(accountGroups('DE89 3704 0044 0532 0130 00'), groups);
  });

  it('shows an IBAN in capitals as it is saved, and leaves other answers alone', () => {
    const iban = 'de89 3704-0044 0532 0130 00';
    assert.equal(answerShown(field('iban'), iban), 'DE89370400440532013000');
    assert.equal(answerShown(field('address'), tron), tron);
  });

  it('keeps anything else in one piece', () => {
    for (const text of ['DE89370400440532013001', 'Anna Schmidt', 'CX-7F3K-92QD', '']) {
      assert.deepEqual(accountGroups(text), [text]);
    }
  });
});
