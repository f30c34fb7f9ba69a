import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingFields, publishingOf, saysTheSame } from './publishing.ts';

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
const overtaken = (day: string | null) =>
  publishingOf(versions, day, today).overtaken.map((each) => each.version);

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
    assert.deepEqual(overtaken(null), [3, 4]);
    assert.deepEqual(overtaken('2026-03-20'), [3, 4]);
    assert.deepEqual(overtaken('2026-03-21'), [4]);
    assert.deepEqual(overtaken('2026-04-02'), []);
  });

  it('needs a title and a text, and after the first version what changes', () => {
    const blank = { title: ' ', body: '<p>&nbsp;</p>', change: '' };
    assert.deepEqual(missingFields(blank, true), ['title', 'body']);
    assert.deepEqual(missingFields(blank, false), ['title', 'body', 'change']);
    const whole = { title: 'Terms', body: '<p>All.</p>', change: '<nothing>' };
    assert.deepEqual(missingFields(whole, false), []);
  });

  it('tells nothing new where only what changes is written, or the day is left open', () => {
    const latest = { title: 'a', summary: '', body: 'b', change: 'c', effective_on: today };
    assert.equal(saysTheSame({ ...latest, change: '', effective_on: null }, latest), true);
    for (const written of [{ body: 'd' }, { summary: 'd' }, { effective_on: '2026-04-01' }])
      assert.equal(saysTheSame({ ...latest, ...written }, latest), false);
  });
});
