import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import { eventually } from '#test/eventually.ts';
import { startTestApi } from '#test/harness.ts';
import { openCounters, type Counter, type Counters } from './counters.ts';

describe('counts of several processes', async () => {
  const { db, clock, deps } = await startTestApi({ after }, { features: [] });
  const { notices } = deps;
  clock.set(new Date());
  const warnings: string[] = [];
  const log = { warn: (_: unknown, text?: string) => void warnings.push(String(text)) };

  /** Two processes that exchange counts only on demand. */
  function openTwo(name: string, ofOne: typeof db = db) {
    return [ofOne, db].map((own) => {
      const counters = openCounters({ db: own, clock: clock.now, notices, log, isShared: true });
      after(() => counters.close());
      const counter = counters.open(name, { windowMs: MINUTE, mostKeys: 100 });
      return { ...counter, settle: counters.settle, listen: counters.listen };
    }) as [Process, Process];
  }
  type Process = Counter & Pick<Counters, 'settle' | 'listen'>;

  it('are added up, also what is counted in the meantime', async () => {
    const [one, other] = openTwo('sum');
    for (let count = 0; count < 3; count += 1) one.add('key');
    clock.advance(10_000);
    clock.set(clock.now());
    other.add('key');
    await one.settle();
    const settling = other.settle();
    other.add('key');
    await settling;
    assert.deepEqual(other.read('key'), { count: 5, msLeft: MINUTE - 10_000 });
    await other.settle();
    one.read('key');
    await one.settle();
    await one.settle();
    assert.equal(one.read('key').count, 5);
    assert.equal(one.read('another').count, 0);
  });

  it('are known to a process that has not counted the key itself', async () => {
    const [one, other] = openTwo('read');
    one.add('key');
    await one.settle();
    assert.equal(other.read('key').count, 0);
    await other.settle();
    assert.equal(other.read('key').count, 1);
  });

  it('begin anew after their window', async () => {
    const [one, other] = openTwo('anew');
    for (const process of [one, other]) process.add('key');
    for (const process of [one, other, one]) await process.settle();
    one.read('key');
    await one.settle();
    assert.equal(one.read('key').count, 2);
    clock.set(new Date(clock.now().getTime() + MINUTE));
    assert.equal(one.add('key').count, 1);
    for (const process of [one, other]) await process.settle();
    assert.equal(other.read('key').count, 0);
    await other.settle();
    assert.equal(other.read('key').count, 1);
  });

  it('begin anew where the clock has been ahead', () => {
    const [one] = openTwo('ahead');
    clock.set(new Date(clock.now().getTime() + MINUTE));
    one.add('key');
    clock.set(new Date(clock.now().getTime() - MINUTE));
    assert.equal(one.add('key').count, 1);
  });

  it('are deleted in every process, also by one that has counted nothing', async () => {
    const [one, other] = openTwo('deleted');
    for (const key of ['a 1', 'a 2', 'b']) one.add(key);
    await one.settle();
    const keys = ['a 1', 'a 2', 'b'];
    const ids = keys.map((key) =>
      createHash('sha256').update(`deleted ${key}`).digest('base64url'),
    );
    const rows = async () =>
      (await sql`select from counts where id = any(${ids})`.execute(db)).rows.length;
    assert.equal(await rows(), 3);
    await Promise.all([one.listen(), other.listen()]);
    other.delete('b');
    other.deleteAll('a ');
    await eventually('no row', async () => (await rows()) === 0);
    assert.deepEqual(
      keys.map((key) => one.read(key).count),
      [0, 0, 0],
    );
  });

  it('are exchanged later where the database does not answer', async () => {
    let isBroken = true;
    const getExecutor = () => (isBroken ? assert.fail('broken') : db.getExecutor());
    const [one, other] = openTwo('broken', { getExecutor } as unknown as typeof db);
    one.add('key');
    await one.settle();
    assert.deepEqual(warnings, ['Counts were not exchanged with the other processes.']);
    isBroken = false;
    await one.settle();
    other.read('key');
    await other.settle();
    assert.equal(other.read('key').count, 1);
  });
});
