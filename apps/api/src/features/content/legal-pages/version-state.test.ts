import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownVersion, versionTimes } from './version-state.ts';

const days = (...effective: string[]) =>
  effective.map((day, index) => ({
    number: index + 1,
    effective_on: `2026-${day}`,
    at: new Date(Date.UTC(2026, 0, 1, 0, index)),
  }));
const said = (versions: ReturnType<typeof days>, today: string) =>
  versionTimes(versions, `2026-${today}`).map(({ state, until }) => [
    state,
    until?.slice(5) ?? null,
  ]);

describe('where a version stands', () => {
  it('begins on its first day and ends on the next one’s', () => {
    const versions = days('01-01', '03-01');
    assert.deepEqual(said(versions, '02-28'), [
      ['in_force', '03-01'],
      ['announced', null],
    ]);
    assert.deepEqual(said(versions, '03-01'), [
      ['past', '03-01'],
      ['in_force', null],
    ]);
  });

  it('never begins where a later one takes its place before', () => {
    const versions = days('01-01', '06-01', '03-01', '03-01');
    assert.deepEqual(said(versions, '02-01'), [
      ['in_force', '03-01'],
      ['replaced', null],
      ['replaced', null],
      ['announced', null],
    ]);
    assert.deepEqual(said(versions, '07-01')[1], ['replaced', null]);
  });

  it('was in force where it began before a later one took its place on the same day', () => {
    assert.deepEqual(said(days('01-01', '01-01'), '01-01'), [
      ['past', '01-01'],
      ['in_force', null],
    ]);
    // Both were announced for that day, and the second begins with it.
    const announced = days('02-01', '02-01');
    assert.deepEqual(said(announced, '02-01')[0], ['replaced', null]);
    // The second is published in the course of that day.
    const at = new Date('2026-02-01T09:00:00Z');
    const overtaken = announced.map((each) => (each.number === 2 ? { ...each, at } : each));
    assert.deepEqual(said(overtaken, '02-01')[0], ['past', '02-01']);
  });

  it('shows what is to come where nothing is in force yet', () => {
    const versions = versionTimes(days('06-01', '07-01'), '2026-01-01');
    assert.equal(shownVersion(versions)?.number, 1);
    assert.equal(shownVersion([]), undefined);
  });

  it('is in force for one version at most, and for the latest that has begun', () => {
    const day = fc.integer({ min: 10, max: 28 }).map((number) => `01-${number}`);
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 6 }), day, (effective, today) => {
        const inForce = versionTimes(days(...effective), `2026-${today}`).filter(
          ({ state }) => state === 'in_force',
        );
        const latest = effective.findLastIndex((from) => from <= today) + 1;
        assert.deepEqual(
          inForce.map(({ number }) => number),
          latest === 0 ? [] : [latest],
        );
      }),
    );
  });
});
