import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMissing, recordChoices } from './records.ts';

const records = [{ value: 'privacy', label: 'Privacy policy (/privacy)' }];
const choices = (chosen: string) => recordChoices(records, chosen, (gone) => `/${gone} (gone)`);

describe('what a field is chosen from that names a record', () => {
  it('is what there is, where what it names is there', () => {
    for (const chosen of ['', 'privacy']) {
      assert.equal(isMissing(records, chosen), false);
      assert.deepEqual(choices(chosen), records);
    }
  });

  it('says of what is not there any more which one it is', () => {
    assert.equal(isMissing(records, 'terms'), true);
    assert.deepEqual(choices('terms'), [...records, { value: 'terms', label: '/terms (gone)' }]);
  });
});
