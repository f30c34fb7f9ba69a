import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountGroups, answerShown } from './account-groups.ts';

describe('accountGroups', () => {
  it('groups an IBAN by four, however it was written', () => {
    const groups = ['DE89', '3704', '0044', '0532', '0130', '00'];
    assert.deepEqual(accountGroups('DE89370400440532013000'), groups);
    assert.deepEqual(accountGroups('DE89 3704 0044 0532 0130 00'), groups);
  });

  it('shows an IBAN as it is kept, and nothing else in another case', () => {
    assert.equal(answerShown('iban', 'de89 3704-0044 0532 0130 00'), 'DE89370400440532013000');
    const address = 'TBF1FJYdMyQVW2hCRWJHVquQnfLtaKGQCo';
    assert.equal(answerShown('address', address), address);
  });

  it('leaves everything else in one piece', () => {
    for (const text of ['DE89370400440532013001', 'Anna Schmidt', 'CX-7F3K-92QD', '']) {
      assert.deepEqual(accountGroups(text), [text]);
    }
  });
});
