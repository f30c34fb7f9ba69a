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

const cases: [Field, string, string | null][] = [
  [field('iban'), 'DE89 3704 0044 0532 0130 00', null],
  [field('iban'), 'DE89 3704 0044 0532 0130 01', 'iban'],
  [field('iban'), 'DE89', 'iban'],
  [field('card'), '4111 1111 1111 1111', null],
  [field('card'), '4111 1111 1111 1112', 'card'],
  [field('name'), 'Ada Łukasiewicz-O’Neill', null],
  [field('name'), '12', 'name'],
  [field('name'), 'Zoë 🦊', 'name'],
  [field('name'), 'Zoë\u202eeoZ', 'name'],
  [field('name'), 'مُحَمَّد الحسن', null],
  [field('name'), 'علی\u200cرضا', null],
  [field('name'), '\u200cعلی', 'name'],
  [field('text'), 'a\u200bb', 'text'],
  [field('phone'), '+44 20 7946 0000', null],
  [field('phone'), '020 7946 0000', 'phone'],
  [field('email'), 'a@b.example', null],
  [field('email'), 'a@b', 'email'],
  [field('address', { pattern: 'T[A-Za-z0-9]{33}' }), 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', null],
  [
    field('address', { pattern: 'T[A-Za-z0-9]{33}' }),
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'address',
  ],
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
    assert.equal(answerShown('iban', 'de89 3704-0044 0532 0130 00'), 'DE89370400440532013000');
    const address = 'TBF1FJYdMyQVW2hCRWJHVquQnfLtaKGQCo';
    assert.equal(answerShown('address', address), address);
  });

  it('keeps anything else in one piece', () => {
    for (const text of ['DE89370400440532013001', 'Anna Schmidt', 'CX-7F3K-92QD', '']) {
      assert.deepEqual(accountGroups(text), [text]);
    }
  });
});
