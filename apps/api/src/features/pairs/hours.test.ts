import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { hoursErrors, isOpenAt, nextOpening } from './hours.ts';

const ZONE = 'Europe/Paris';
const weekdays = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }];
const at = (text: string) => new Date(text);
const opening = (hours: typeof weekdays, moment: string, zone = ZONE) =>
  nextOpening(hours, zone, at(moment))?.toISOString() ?? null;

describe('working hours', () => {
  it('are in the desk’s time zone and exclude their last minute', () => {
    // 23 November 2026 is a Monday; Paris is an hour ahead of UTC.
    assert.equal(isOpenAt(weekdays, ZONE, at('2026-11-23T07:59:59.999Z')), false);
    assert.equal(isOpenAt(weekdays, ZONE, at('2026-11-23T08:00:00Z')), true);
    assert.equal(isOpenAt(weekdays, ZONE, at('2026-11-23T16:59:59.999Z')), true);
    assert.equal(isOpenAt(weekdays, ZONE, at('2026-11-23T17:00:00Z')), false);
    assert.equal(isOpenAt(weekdays, ZONE, at('2026-11-22T12:00:00Z')), false);
    assert.equal(isOpenAt(weekdays, 'Asia/Tokyo', at('2026-11-23T00:00:00Z')), true);
  });

  it('are always open where there are none', () => {
    assert.equal(isOpenAt(null, ZONE, at('2026-11-22T03:00:00Z')), true);
    assert.equal(nextOpening(null, ZONE, at('2026-11-22T03:00:00Z')), null);
  });

  it('have their next opening today, tomorrow, after the weekend or in a week', () => {
    assert.equal(opening(weekdays, '2026-11-23T03:00:00Z'), '2026-11-23T08:00:00.000Z');
    assert.equal(opening(weekdays, '2026-11-23T17:00:00Z'), '2026-11-24T08:00:00.000Z');
    assert.equal(opening(weekdays, '2026-11-20T17:00:00Z'), '2026-11-23T08:00:00.000Z');
    assert.equal(opening(weekdays, '2026-11-23T08:00:00Z'), null);
    const mondays = [{ days: [1], from: '09:00', to: '10:00' }];
    assert.equal(opening(mondays, '2026-11-23T09:00:00Z'), '2026-11-30T08:00:00.000Z');
  });

  it('may cross midnight, also into Monday, or end at it', () => {
    const nights = [{ days: [5, 7], from: '22:00', to: '06:00' }];
    assert.equal(isOpenAt(nights, 'UTC', at('2026-11-20T23:00:00Z')), true);
    assert.equal(isOpenAt(nights, 'UTC', at('2026-11-21T05:59:00Z')), true);
    assert.equal(isOpenAt(nights, 'UTC', at('2026-11-21T06:00:00Z')), false);
    assert.equal(isOpenAt(nights, 'UTC', at('2026-11-21T23:00:00Z')), false);
    assert.equal(isOpenAt(nights, 'UTC', at('2026-11-23T01:00:00Z')), true);
    for (const to of ['24:00', '00:00']) {
      const late = [{ days: [1], from: '22:00', to }];
      assert.equal(isOpenAt(late, 'UTC', at('2026-11-23T23:59:59Z')), true, to);
      assert.equal(isOpenAt(late, 'UTC', at('2026-11-24T00:00:00Z')), false, to);
    }
  });

  it('follow the local time when summer time begins and ends', () => {
    // Paris: 29 March 2026 02:00 becomes 03:00; 25 October 2026 03:00 becomes 02:00 again.
    const sundays = [{ days: [7], from: '02:30', to: '05:00' }];
    assert.equal(opening(sundays, '2026-03-29T00:00:00Z'), '2026-03-29T01:00:00.000Z');
    assert.equal(isOpenAt(sundays, ZONE, at('2026-03-29T00:59:59Z')), false);
    const short = [{ days: [7], from: '02:15', to: '02:45' }];
    assert.equal(opening(short, '2026-10-25T00:00:00Z'), '2026-10-25T00:15:00.000Z');
    assert.equal(opening(short, '2026-10-25T00:45:00Z'), '2026-10-25T01:15:00.000Z');
    // In spring that half hour does not exist.
    assert.equal(opening(short, '2026-03-29T00:00:00Z'), '2026-04-05T00:15:00.000Z');
    assert.equal(opening(short, '2026-03-23T00:00:00Z'), '2026-04-05T00:15:00.000Z');
    const morning = [{ days: [7], from: '09:00', to: '10:00' }];
    assert.equal(opening(morning, '2026-03-28T12:00:00Z'), '2026-03-29T07:00:00.000Z');
    assert.equal(opening(morning, '2026-10-24T12:00:00Z'), '2026-10-25T08:00:00.000Z');
  });

  it('open at the first open minute, as trying each minute shows', () => {
    const time = fc.integer({ min: 0, max: 95 }).map((quarter) => {
      const [hour, minute] = [Math.trunc(quarter / 4), (quarter % 4) * 15];
      return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    });
    const hours = fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: time,
      to: time,
    });
    const starts = ['2026-03-27T00:00:00Z', '2026-10-23T00:00:00Z'].map((text) => Date.parse(text));
    fc.assert(
      fc.property(
        fc.array(hours, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...starts),
        fc.integer({ min: 0, max: 4 * 24 * 60 }),
        (drawn, start, minutes) => {
          const valid = drawn.filter(({ from, to }) => from !== to);
          const moment = new Date(start + minutes * MINUTE);
          const found = nextOpening(valid, ZONE, moment);
          if (isOpenAt(valid, ZONE, moment) || valid.length === 0) return found === null;
          // Hours begin at quarters, so no opening falls between two of them.
          let tried = Math.floor(moment.getTime() / (15 * MINUTE)) * 15 * MINUTE;
          do tried += 15 * MINUTE;
          while (
            !isOpenAt(valid, ZONE, new Date(tried)) &&
            tried < moment.getTime() + 16 * 24 * HOUR
          );
          return found?.getTime() === tried;
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are refused where they end when they begin', () => {
    assert.deepEqual(hoursErrors(weekdays), {});
    assert.deepEqual(Object.keys(hoursErrors([{ days: [1], from: '09:00', to: '09:00' }])), [
      'hours.0.to',
    ]);
  });
});
