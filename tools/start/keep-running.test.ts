import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning, type Running } from './keep-running.ts';

interface Life extends Running {
  end(...lines: string[]): void;
  stops: number;
}

function newLife(): Life {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const life: Life = {
    ended: promise,
    end: (...lines) => resolve(lines),
    stops: 0,
    stop: async () => {
      life.stops += 1;
      resolve([]);
    },
  };
  return life;
}

/** A part whose second life is the second one given. */
function start(first: Life, again: () => Promise<Running>, firstWaitMs = 1) {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  return { said, part: keepRunning({ name: 'API', first, again, say, firstWaitMs }) };
}

describe('a part that is kept running', () => {
  it('is started again, each time later, also after a start that fails', async () => {
    const lives = [newLife(), newLife()];
    const failures = ['The disk is full.', 'The disk is full.'];
    const { promise: back, resolve } = Promise.withResolvers<void>();
    const { said, part } = start(lives[0] as Life, async () => {
      const failure = failures.pop();
      if (failure !== undefined) throw new Error(failure);
      resolve();
      return lives[1] as Life;
    });
    lives[0]?.end('first', '{"level":"error","msg":"It broke."}');
    await back;
    const waits = said.flatMap((line) => /again in ([\d.]+) s/.exec(line)?.[1] ?? []);
    assert.deepEqual(waits, ['0.001', '0.002', '0.004']);
    assert.match(said[1] ?? '', / {2}first\n {2}error It broke\.$/);
    assert.match(said[3] ?? '', / {2}The disk is full\.$/);
    await part.stop();
    assert.equal(lives[1]?.stops, 1);
  });

  it('is not started again once it was told to stop', async () => {
    let starts = 0;
    const first = newLife();
    const { part } = start(first, async () => ((starts += 1), newLife()), 20);
    first.end();
    await sleep(5);
    await part.stop();
    await sleep(40);
    assert.equal(starts, 0);
  });

  it('is stopped also when the stop comes while it is being started', async () => {
    const [first, slow] = [newLife(), newLife()];
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: started, resolve: finish } = Promise.withResolvers<Life>();
    const { part } = start(first, () => {
      ask();
      return started;
    });
    first.end();
    await asked;
    const stopped = part.stop();
    finish(slow);
    await stopped;
    assert.equal(slow.stops, 1);
  });
});
