import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishingOf } from './publishing.ts';

type Versions = Parameters<typeof publishingOf>[0];

const today = '2026-03-10';
const version = (number: number, state: Versions[number]['state'], effective_on: string) =>
  ({ version: number, state, effective_on }) as Versions[number];
const versions = [
  version(4, 'announced', '2026-04-01'),
  version(3, 'announced', '2026-03-20'),
  version(2, 'replaced', '2026-05-01'),
  version(1, 'in_force', '2026-01-01'),
];
const replaced = (day: string | null) =>
  publishingOf(versions, day, today).replaced.map((each) => each.version);

describe('publishing a version', () => {
  it('says whether it begins today, later, or began before', () => {
    const begins = (day: string | null) => publishingOf([], day, today).begins;
    assert.deepEqual([null, today, '2026-03-11', '2020-01-01'].map(begins), [
      'today',
      'today',
      'later',
      'before',
    ]);
    assert.equal(publishingOf(versions, '2020-01-01', today).begins, 'never');
  });

  it('names the announced versions that never come into force then', () => {
    assert.deepEqual(replaced(null), [3, 4]);
    assert.deepEqual(replaced('2026-03-20'), [3, 4]);
    assert.deepEqual(replaced('2026-03-21'), [4]);
    assert.deepEqual(replaced('2026-04-02'), []);
  });
});
