import assert from 'node:assert/strict';
import { after, it, mock } from 'node:test';
import { HOUR, SECOND, systemClock } from '#kernel/clock.ts';
import { openTestDatabase } from '#test/database.ts';
import { sharedClock } from './shared-clock.ts';

const { db } = await openTestDatabase({ after });

it('is the database’s, however far this process’s clock is off, and a test’s own', async () => {
  for (const shift of [-3 * HOUR, 3 * HOUR]) {
    const real = Date.now();
    mock.timers.enable({ apis: ['Date'], now: real + shift });
    try {
      const apart = (await sharedClock({ db, clock: systemClock }))().getTime() - real;
      assert.ok(Math.abs(apart) < 30 * SECOND, `${apart} ms`);
    } finally {
      mock.timers.reset();
    }
  }
  const own = new Date('2026-03-14T12:00:00Z');
  assert.deepEqual((await sharedClock({ db, clock: () => own }))(), own);
});
