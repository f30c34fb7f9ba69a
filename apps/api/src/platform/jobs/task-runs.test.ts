/** One run of a task at a time, and what becomes of those that came to no end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { openTestDatabase } from '#test/database.ts';
import { transaction } from '#platform/db/database.ts';
import { fixedClock } from '#platform/db/database-clock.ts';
import { openScheduler, type Task } from './scheduler.ts';
import { endRun, LOST, STOPPED, takeSlotNow } from './task-runs.ts';

const { db } = await openTestDatabase({ after });
const log = pino({ level: 'silent' });
const START = Date.UTC(2026, 2, 14, 9, 0);

function schedulerOf(tasks: readonly Task[], now: () => number) {
  const databaseClock = fixedClock(() => new Date(now()));
  return openScheduler({ db, clock: databaseClock.now, databaseClock, log }, tasks);
}

function runsOf(name: string) {
  return db.selectFrom('task_runs').selectAll().where('task', '=', name).orderBy('slot').execute();
}

function counting(name: string, cron: string): { task: Task; slots: string[] } {
  const slots: string[] = [];
  const run = async (slot: Date) => {
    slots.push(slot.toISOString());
    return 'ran';
  };
  return { task: { name, cron, run }, slots };
}

describe('the runs of a task', () => {
  it('are one at a time: ticks wait for the run before, by hand or not, and collapse', async () => {
    let now = START;
    let [running, most] = [0, 0];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const slots: string[] = [];
    const task: Task = {
      name: 'long',
      cron: '* * * * *',
      run: async (slot) => {
        slots.push(slot.toISOString());
        running += 1;
        most = Math.max(most, running);
        await held;
        running -= 1;
      },
    };
    const scheduler = schedulerOf([task], () => now);
    const byHand = { task: 'long', askedBy: newId(), now: new Date(now + 1) };
    assert.equal(await transaction(db, (tx) => takeSlotNow(tx, byHand)), true);
    await scheduler.tick();
    assert.deepEqual(slots, []);
    const mine = { ...byHand, slot: byHand.now, startedAt: byHand.now };
    await endRun(db, mine, { finished_at: new Date(now + 2), outcome: 'done', detail: null });

    const ticks = [scheduler.tick()];
    while (slots.length === 0) await setImmediate();
    for (let minute = 1; minute <= 3; minute += 1) {
      now = START + minute * MINUTE;
      await schedulerOf([task], () => now).tick();
    }
    assert.equal(most, 1);
    release();
    await Promise.all(ticks);
    await scheduler.tick();
    assert.deepEqual(
      slots,
      [0, 3].map((minute) => new Date(START + minute * MINUTE).toISOString()),
    );
  });

  it('are ended as failed where their process was lost, or its clock was ahead', async () => {
    const started = { before: START - 16 * MINUTE, ahead: START + DAY };
    for (const [name, at] of Object.entries(started)) {
      const { task, slots } = counting(name, '* * * * *');
      await db
        .insertInto('task_runs')
        .values({ task: name, slot: new Date(at), started_at: new Date(at) })
        .execute();
      await schedulerOf([task], () => START).tick();
      assert.equal(slots.length, 1, name);
      const lost = (await runsOf(name)).find(({ slot }) => slot.getTime() === at);
      assert.deepEqual([lost?.outcome, lost?.detail], ['failed', LOST], name);
    }
  });

  it('are made up for where the task wants it, in their own slot', async () => {
    let now = START;
    const { task: once, slots: never } = counting('lost-once', '0 * * * *');
    const { task, slots } = counting('lost-again', '0 * * * *');
    for (const each of [once, task])
      await db
        .insertInto('task_runs')
        .values({ task: each.name, slot: new Date(START), started_at: new Date(START) })
        .execute();
    const tasks = [once, { ...task, again: true }];
    await schedulerOf(tasks, () => now).tick();
    assert.deepEqual(slots, [], 'it may be running');
    now = START + 16 * MINUTE;
    await schedulerOf(tasks, () => now).tick();
    await schedulerOf(tasks, () => now).tick();
    assert.deepEqual(slots, [new Date(START).toISOString()]);
    assert.deepEqual(never, []);
    assert.deepEqual(
      (await runsOf('lost-again')).map(({ outcome, detail }) => [outcome, detail]),
      [['done', 'ran']],
    );
  });
});

describe('a scheduler that is stopped', () => {
  it('aborts what runs, and the next one makes up for it', async () => {
    let begun = () => {};
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const hanging: Task = {
      name: 'hanging',
      cron: '* * * * *',
      again: true,
      run: async (_, signal) => {
        begun();
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
    };
    const scheduler = schedulerOf([hanging], () => START);
    scheduler.start();
    await beginning;
    await scheduler.stop();
    const [stopped] = await runsOf('hanging');
    assert.deepEqual([stopped?.outcome, stopped?.detail], ['failed', STOPPED]);
    const next: Task = { ...hanging, run: async () => 'made up for' };
    await schedulerOf([next], () => START + 1000).tick();
    const runs = await runsOf('hanging');
    assert.deepEqual(
      runs.map(({ outcome, detail }) => [outcome, detail]),
      [['done', 'made up for']],
    );
  });

  it('waits for what runs although another task could not take its slot', async () => {
    await sql`create function refuse_bad() returns trigger language plpgsql as
      $$ begin if new.task = 'bad' then raise exception 'no'; end if; return new; end $$`.execute(
      db,
    );
    await sql`create trigger refuse_bad before insert on task_runs
      for each row execute function refuse_bad()`.execute(db);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let ended = false;
    const slow: Task = {
      name: 'slow-beside-bad',
      cron: '* * * * *',
      run: async () => {
        begun.resolve();
        await held;
        ended = true;
      },
    };
    const bad = counting('bad', '* * * * *');
    const scheduler = schedulerOf([bad.task, slow], () => START);
    scheduler.start();
    await begun.promise;
    // Long enough for the refused one to have failed.
    await sleep(200);
    const stopping = scheduler.stop().then(() => assert.equal(ended, true));
    await sleep(50);
    release();
    await stopping;
    assert.deepEqual(bad.slots, []);
    await sql`drop trigger refuse_bad on task_runs`.execute(db);
  });
});
