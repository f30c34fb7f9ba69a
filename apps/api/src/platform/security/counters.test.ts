import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { startTestApi } from '#test/harness.ts';
import { openCounters } from './counters.ts';

describe('counts of several processes', async () => {
  const { db, clock } = await startTestApi({ after }, { features: [] });
  clock.set(new Date());
  const warnings: string[] = [];
  const log = { warn: (_: unknown, text?: string) => void warnings.push(String(text)) };

  /** Two processes that exchange counts only when they are told to. */
  function openTwo(name: string, { isBroken = false } = {}) {
    return [isBroken, false].map((broken) => {
      const closed = { ...db, getExecutor: () => assert.fail('broken') } as unknown as typeof db;
      const lost = broken ? closed : db;
      const counters = openCounters({ db: lost, clock: clock.now, log, isShared: true });
      after(() => counters.close());
      const counter = counters.open(name, { windowMs: MINUTE, mostKeys: 100 });
      return { ...counter, settle: counters.settle };
    }) as [Process, Process];
  }
  type Process = ReturnType<ReturnType<typeof openCounters>['open']> & { settle(): Promise<void> };

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

  it('begin anew after their window, and where a key was deleted', async () => {
    const [one, other] = openTwo('anew');
    for (const process of [one, other]) process.add('key');
    for (const process of [one, other, one]) await process.settle();
    one.read('key');
    await one.settle();
    assert.equal(one.read('key').count, 2);
    one.delete('key');
    other.read('key');
    for (const process of [one, other]) await process.settle();
    assert.deepEqual([one.read('key').count, other.read('key').count], [0, 0]);
    other.add('key');
    await other.settle();
    clock.set(new Date(clock.now().getTime() + MINUTE));
    assert.equal(one.add('key').count, 1);
    for (const process of [one, other]) await process.settle();
    assert.equal(other.read('key').count, 0);
    await other.settle();
    assert.equal(other.read('key').count, 1);
  });

  it('are kept where the database does not answer', async () => {
    const [broken] = openTwo('broken', { isBroken: true });
    broken.add('key');
    await broken.settle();
    assert.equal(broken.add('key').count, 2);
    assert.deepEqual(warnings, ['Counts were not exchanged with the other processes.']);
  });
});
