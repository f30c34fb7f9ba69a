import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openQueue } from './work-queue.ts';

const open = () => openQueue({ atOnce: 2, waiting: 30, refusal: 'Too many.' });

describe('openQueue', () => {
  it('runs two tasks at once, lets thirty wait, refuses more, and has room again afterwards', async () => {
    const queue = open();
    let started = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const tasks = Array.from({ length: 32 }, () =>
      queue(async () => {
        started += 1;
        await ended;
      }),
    );
    assert.equal(started, 2);
    await assert.rejects(
      queue(async () => {}),
      ({ status, detail }) => status === 503 && detail.retryAfterSeconds > 0,
    );
    end();
    await Promise.all(tasks);
    assert.equal(started, 32);
    assert.equal(await queue(async () => 'done'), 'done');
  });

  it('passes on the place of a task that fails', async () => {
    const queue = open();
    const failing = Array.from({ length: 5 }, () =>
      queue(() => Promise.reject(new Error('broken'))),
    );
    for (const task of failing) await assert.rejects(task, /broken/);
    assert.equal(await queue(async () => 'done'), 'done');
  });
});
