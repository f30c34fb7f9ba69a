import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldJson } from '#platform/db/json-columns.ts';
import { payoutAccountKey } from './payout-account.ts';

type Answered = readonly [key: string, check: FieldJson['check'], value: string];

const keyOf = (...fields: Answered[]) =>
  payoutAccountKey(
    {
      unit: 'NGN',
      payout_fields: fields.map(([key, check]) => ({ key, label: key, check, required: true })),
    },
    fields.map(([label, , value]) => ({ label, value })),
  );

describe('the key of a payout account', () => {
  const name: Answered = ['holder', 'name', 'Alex Marlow'];

  it('is the same however the account is written, and whoever it is said to be of', () => {
    const lower = keyOf(name, ['iban', 'iban', 'de89 3704 0044 0532 0130 00']);
    assert.equal(lower, 'iban:DE89370400440532013000');
    const other: Answered = ['holder', 'name', 'Robin Okafor'];
    assert.equal(keyOf(other, ['iban', 'iban', 'DE89370400440532013000']), lower);
    assert.equal(
      keyOf(['address', 'address', '0xAB5801A7D398351B8BE11C439E05C5B3259AEC9B']),
      keyOf(['address', 'address', '0xab5801a7d398351b8be11c439e05c5b3259aec9b']),
    );
  });

  it('has the parts of a number, and the memo of an address, but not a contact beside it', () => {
    const account: Answered[] = [
      ['bank', 'text', 'First Bank'],
      ['branch', 'pattern', '001'],
      ['account', 'pattern', '123-4567'],
      ['phone', 'phone', '+2348012345678'],
    ];
    assert.equal(keyOf(name, ...account), 'account:NGN:001/1234567');
    assert.equal(
      keyOf(['address', 'address', 'rAbc'], ['memo', 'pattern', '77']),
      'address:RABC/77',
    );
    assert.equal(keyOf(name, ['phone', 'phone', '+254700000001']), 'phone:+254700000001');
    assert.equal(keyOf(['email', 'email', 'A.B-c@Example.com']), 'email:A.B-C@EXAMPLE.COM');
  });

  it('is null where no field identifies an account', () => {
    assert.equal(keyOf(name, ['bank', 'text', 'First Bank']), null);
  });
});
