import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Field } from '@cambist/contract/currencies';
import type { PayoutAccount } from '@cambist/contract/payout-accounts';
import { accountOf, answersOf } from './saved-account.ts';

const fields: Field[] = [
  { key: 'holder', label: 'Account holder', check: 'name', required: true },
  { key: 'iban', label: 'IBAN', check: 'iban', required: true },
];
const iban = 'DE89370400440532013000';
const saved = (answers: Record<string, string>): PayoutAccount => ({
  id: 'one',
  label: 'My EUR account',
  currency: {} as PayoutAccount['currency'],
  fields: Object.entries(answers).map(([key, value]) => ({ key, label: key, value })),
});
const account = saved({ holder: 'Alex Marlow', iban });

describe('the values of a saved account', () => {
  it('are empty where it has none, and leave out what is not asked for any more', () => {
    const old = saved({ holder: 'Alex Marlow', bic: 'COBADEFF' });
    assert.deepEqual(answersOf(old, fields), { holder: 'Alex Marlow', iban: '' });
    assert.deepEqual(answersOf(undefined, fields), { holder: '', iban: '' });
  });
});

describe('the saved account of what is entered', () => {
  const find = (answers: Record<string, string>) => accountOf([account], fields, answers)?.id;

  it('is found however it is written', () => {
    const typed = ' de89 3704 0044 0532 0130 00';
    assert.equal(find({ holder: 'Alex Marlow', iban: typed }), 'one');
  });

  it('is none for another value, a missing one, or nothing', () => {
    assert.equal(find({ holder: 'Alex Marlowe', iban }), undefined);
    assert.equal(find({ iban }), undefined);
    assert.equal(find({}), undefined);
    assert.equal(accountOf([saved({})], fields, {}), undefined);
  });
});
