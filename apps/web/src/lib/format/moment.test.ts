import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameDay, writeMoment } from './moment.ts';

const at = '2026-11-21T09:05:07.123Z';

describe('writeMoment', () => {
  it('writes UTC and says so where the visitor’s zone is not known', () => {
    assert.equal(writeMoment(at, 'en', 'both', 'UTC'), 'Nov 21, 2026, 09:05 UTC');
    assert.equal(writeMoment(at, 'en', 'time', 'UTC'), '09:05 UTC');
    assert.equal(writeMoment(at, 'en', 'exact', 'UTC'), 'Nov 21, 2026, 09:05:07 UTC');
  });

  it('writes the desk’s time with the name of its zone', () => {
    const written = writeMoment('2026-12-24T09:00:00Z', 'en', 'both', 'Europe/Lisbon');
    assert.equal(written, 'Dec\u00a024,\u00a02026,\u00a009:00 Europe/Lisbon');
    const summer = writeMoment('2026-06-24T09:00:00Z', 'en', 'both', 'Europe/Lisbon');
    assert.match(summer, /10:00 Europe\/Lisbon$/);
  });

  it('needs no zone for a day or the visitor’s own zone', () => {
    assert.equal(writeMoment(at, 'en', 'date', 'UTC'), 'Nov 21, 2026');
    assert.doesNotMatch(writeMoment(at, 'en', 'both', null), /UTC/);
  });
});

describe('isSameDay', () => {
  const beforeMidnight = '2026-11-21T23:59:30Z';
  const near = (seconds: number) => Date.parse(beforeMidnight) + seconds * 1_000;

  it('changes at midnight in the reader’s zone', () => {
    assert.equal(isSameDay(beforeMidnight, near(20), 'UTC'), true);
    assert.equal(isSameDay(beforeMidnight, near(40), 'UTC'), false);
    assert.equal(isSameDay(beforeMidnight, near(40), 'Asia/Tokyo'), true);
    assert.equal(isSameDay(beforeMidnight, near(365 * 86_400), 'UTC'), false);
  });
});
