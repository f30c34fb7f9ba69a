import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fromZoneTime, toZoneTime } from './zone-time.ts';

describe('the time of a zone', () => {
  const cases = [
    ['2026-07-01T10:30:00.000Z', 'Europe/Lisbon', '2026-07-01T11:30'],
    ['2026-12-31T23:30:00.000Z', 'Asia/Kathmandu', '2027-01-01T05:15'],
    ['2026-01-01T02:00:00.000Z', 'America/St_Johns', '2025-12-31T22:30'],
    ['2026-11-21T18:30:00.000Z', 'UTC', '2026-11-21T18:30'],
    // On both sides of the hour that comes twice.
    ['2026-10-24T23:30:00.000Z', 'Europe/Berlin', '2026-10-25T01:30'],
    ['2026-10-25T02:30:00.000Z', 'Europe/Berlin', '2026-10-25T03:30'],
  ] as const;
  for (const [iso, zone, wall] of cases) {
    it(`${wall} in ${zone} is ${iso}, and back`, () => {
      assert.equal(toZoneTime(iso, zone), wall);
      assert.equal(fromZoneTime(wall, zone), iso);
    });
  }

  it('may come twice, or never', () => {
    assert.equal(fromZoneTime('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
    assert.equal(fromZoneTime('2026-03-29T02:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
  });

  it('is none where none is written', () => {
    assert.equal(fromZoneTime('', 'UTC'), '');
    assert.equal(toZoneTime('', 'UTC'), '');
  });
});
