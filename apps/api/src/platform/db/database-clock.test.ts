import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { DAY, HOUR, SECOND } from '#kernel/clock.ts';
import { openTestDatabase } from '#test/database.ts';
import { fixedClock, openDatabaseClock, requireRightClock } from './database-clock.ts';

const { db } = await openTestDatabase({ after });

/** Runs `work` on a machine whose clock is off by this. */
async function onMachine(shiftMs: number, work: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + shiftMs });
  try {
    await work();
  } finally {
    mock.timers.reset();
  }
}

describe('the clock of a process', () => {
  it('is the database’s after it was read, although the machine’s is off', async () => {
    for (const shiftMs of [-3 * HOUR, 400 * DAY]) {
      const real = Date.now();
      await onMachine(shiftMs, async () => {
        const clock = openDatabaseClock(db);
        const aheadMs = await clock.sync();
        assert.ok(Math.abs(aheadMs - shiftMs) < 30 * SECOND, `${aheadMs} ms ahead`);
        assert.ok(Math.abs(clock.now().getTime() - real) < 30 * SECOND);
      });
    }
  });

  it('continues when the machine’s clock is set', async () => {
    const clock = openDatabaseClock(db);
    await clock.sync();
    const real = Date.now();
    await onMachine(3 * DAY, async () => {
      assert.ok(Math.abs(clock.now().getTime() - real) < 30 * SECOND);
    });
  });

  it('is refused when the machine’s is more than a minute off, in either direction', async () => {
    await requireRightClock(openDatabaseClock(db));
    await onMachine(61 * SECOND, () =>
      assert.rejects(requireRightClock(openDatabaseClock(db)), /seconds ahead of the database/),
    );
    await onMachine(-2 * HOUR, () =>
      assert.rejects(requireRightClock(openDatabaseClock(db)), /seconds behind the database/),
    );
  });

  it('is that of a test which sets one', async () => {
    const own = new Date('2026-03-14T12:00:00Z');
    const clock = fixedClock(() => own);
    await requireRightClock(clock);
    assert.deepEqual(clock.now(), own);
  });
});
