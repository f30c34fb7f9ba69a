import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { pino } from 'pino';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { openTestDatabase } from '#test/database.ts';
import { fixedClock } from '#platform/db/database-clock.ts';
import { connect, openDatabase, type Db } from '#platform/db/database.ts';
import { openScheduler, tickOnce, type Task } from './scheduler.ts';

const { url, db } = await openTestDatabase({ after });
const otherSql = connect(url);
const otherDb = openDatabase(otherSql);
after(() => otherSql.end());

const log = pino({ level: 'silent' });
const START = Date.UTC(2026, 2, 14, 9, 0);

function schedulerOn(database: Db, tasks: readonly Task[], now: () => number) {
  return openScheduler({ db: database, ...clockAt(now), log }, tasks);
}

function clockAt(now: () => number) {
  const databaseClock = fixedClock(() => new Date(now()));
  return { clock: databaseClock.now, databaseClock };
}

function runsOf(name: string) {
  return db.selectFrom('task_runs').selectAll().where('task', '=', name).orderBy('slot').execute();
}

function counting(name: string, cron: string): { task: Task; slots: string[] } {
  const slots: string[] = [];
  const task: Task = {
    name,
    cron,
    run: async (now) => {
      slots.push(now.toISOString());
      return 'ran';
    },
  };
  return { task, slots };
}

describe('two schedulers that fire in the same minutes', () => {
  it('run each slot once, over three hours', async () => {
    let now = START;
    const minutely = counting('minutely', '* * * * *');
    const quarterly = counting('quarterly', '*/15 * * * *');
    const hourly = counting('hourly', '0 * * * *');
    const tasks = [minutely.task, quarterly.task, hourly.task];
    const schedulers = [schedulerOn(db, tasks, () => now), schedulerOn(otherDb, tasks, () => now)];
    for (let minute = 0; minute < 180; minute += 1) {
      now = START + minute * MINUTE + (minute % 59) * 1000;
      await Promise.all(schedulers.map((scheduler) => scheduler.tick()));
    }
    assert.equal(minutely.slots.length, 180);
    assert.equal(new Set(minutely.slots).size, 180);
    assert.equal(quarterly.slots.length, 12);
    assert.equal(new Set(quarterly.slots).size, 12);
    assert.deepEqual(
      hourly.slots,
      [0, 1, 2].map((hour) => new Date(START + hour * HOUR).toISOString()),
    );
    const runs = await runsOf('hourly');
    assert.deepEqual(
      runs.map(({ outcome, detail }) => [outcome, detail]),
      Array.from({ length: 3 }, () => ['done', 'ran']),
    );
  });
});

describe('a scheduler', () => {
  it('makes up for missed slots with a single run of the latest', async () => {
    let now = START;
    const hourly = counting('missed', '0 * * * *');
    const scheduler = schedulerOn(db, [hourly.task], () => now);
    await scheduler.tick();
    now = START + 5 * HOUR + 20 * MINUTE;
    await scheduler.tick();
    await scheduler.tick();
    assert.deepEqual(hourly.slots, [
      new Date(START).toISOString(),
      new Date(START + 5 * HOUR).toISOString(),
    ]);
  });

  it('does not make up for what is more than a day old', async () => {
    const yearly = counting('yearly', '0 0 1 1 *');
    await schedulerOn(db, [yearly.task], () => START).tick();
    assert.deepEqual(yearly.slots, []);
  });

  it('records a failure, and the other tasks and the next slot are run all the same', async () => {
    let now = START;
    const fine = counting('fine', '* * * * *');
    const failing: Task = {
      name: 'failing',
      cron: '* * * * *',
      run: async () => {
        throw new TypeError('the provider is down');
      },
    };
    const scheduler = schedulerOn(db, [failing, fine.task], () => now);
    await scheduler.tick();
    now += MINUTE;
    await scheduler.tick();
    const runs = await runsOf('failing');
    assert.deepEqual(
      runs.map(({ outcome, detail }) => [outcome, detail]),
      Array.from({ length: 2 }, () => ['failed', 'TypeError: the provider is down']),
    );
    assert.equal(fine.slots.length, 2);
  });

  it('refuses a task that would run more often than it ticks', () => {
    const { task } = counting('too-often', '*/5 * * * * *');
    assert.throws(() => schedulerOn(db, [task], () => START), /more often than each minute/);
  });

  it('forgets old runs', async () => {
    const old = new Date(START - 31 * DAY);
    await db
      .insertInto('task_runs')
      .values({
        task: 'ancient',
        slot: old,
        started_at: old,
        finished_at: old,
        outcome: 'done',
        detail: null,
      })
      .execute();
    await schedulerOn(db, [], () => START + DAY).tick();
    assert.deepEqual(await runsOf('ancient'), []);
  });

  it('ticks by itself once started, and its stop waits for what runs', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let ended = false;
    const slow: Task = {
      name: 'slow',
      cron: '* * * * *',
      run: async () => {
        begin();
        await held;
        ended = true;
      },
    };
    const scheduler = schedulerOn(db, [slow], Date.now);
    scheduler.start();
    await begun;
    const stopping = scheduler.stop();
    assert.equal(ended, false);
    release();
    await stopping;
    assert.equal(ended, true);
    assert.equal((await runsOf('slow'))[0]?.outcome, 'done');
  });
});

describe('on a machine whose clock is wrong', () => {
  it('takes no slot, and throws what to do about it', async () => {
    const { task, slots } = counting('wrong-clock', '* * * * *');
    const databaseClock = { now: () => new Date(START), sync: async () => 3 * DAY };
    const deps = { db, clock: databaseClock.now, databaseClock, log };
    await assert.rejects(
      tickOnce(deps, [task], AbortSignal.any([])),
      /clock of this machine is 259200 seconds ahead/,
    );
    assert.deepEqual([slots, await runsOf('wrong-clock')], [[], []]);
  });
});

describe('tickOnce', () => {
  it('runs what is due and ends with it', async () => {
    const { task, slots } = counting('once', '* * * * *');
    await tickOnce({ db, ...clockAt(() => START), log }, [task], AbortSignal.any([]));
    await tickOnce({ db: otherDb, ...clockAt(() => START), log }, [task], AbortSignal.any([]));
    assert.deepEqual(slots, [new Date(START).toISOString()]);
  });
});
