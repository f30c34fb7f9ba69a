import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inTurn } from './file-turns.ts';

it('two run at once, thirty wait, and what comes then is refused; afterwards there is room again', async () => {
  let started = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const works = Array.from({ length: 32 }, () =>
    inTurn(async () => {
      started += 1;
      await ended;
    }),
  );
  assert.equal(started, 2);
  await assert.rejects(
    inTurn(async () => {}),
    ({ status, detail }) => status === 503 && detail.retryAfterSeconds > 0,
  );
  end();
  await Promise.all(works);
  assert.equal(started, 32);
  assert.equal(await inTurn(async () => 'done'), 'done');
});

it('a work that fails hands its turn on', async () => {
  const failing = Array.from({ length: 5 }, () =>
    inTurn(() => Promise.reject(new Error('broken'))),
  );
  for (const work of failing) await assert.rejects(work, /broken/);
  assert.equal(await inTurn(async () => 'done'), 'done');
});
