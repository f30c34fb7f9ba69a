import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepRunning, type Running } from './keep-running.ts';
import { PlainError } from './plain-error.ts';

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

/** A part whose lives the test ends. */
function newPart(pace: { firstMs: number; longestMs: number; most: number; windowMs: number }) {
  const lives = [newLife()];
  const said: string[] = [];
  let begun = Promise.withResolvers<Life>();
  const kept = keepRunning({
    name: 'API',
    first: lives[0] as Life,
    again: () => {
      const life = newLife();
      lives.push(life);
      begun.resolve(life);
      begun = Promise.withResolvers();
      return life;
    },
    say: (line) => said.push(line),
    pace,
  });
  return { kept, lives, said, next: () => begun.promise };
}

const QUICK = { firstMs: 1, longestMs: 4, most: 5, windowMs: 60_000 };

describe('a part that is kept running', () => {
  it('is started again, each time later, and said to be', async () => {
    const { kept, lives, said, next } = newPart(QUICK);
    for (let count = 0; count < 4; count += 1) {
      const again = next();
      lives.at(-1)?.end('first', '{"level":"error","msg":"It broke."}');
      await again;
    }
    const waits = said.filter((line) => line.startsWith('The API'));
    assert.deepEqual(
      waits.map((line) => /again in ([\d.]+) s/.exec(line)?.[1]),
      ['0.001', '0.002', '0.004', '0.004'],
    );
    assert.equal(said[1], '  first\n  error It broke.');
    assert.equal(lives.length, 5);
    await kept.stop();
    assert.equal(lives[4]?.stops, 1);
  });

  it('is given up with a sentence after the fifth life shorter than the window', async () => {
    const { kept, lives, next } = newPart(QUICK);
    for (let count = 0; count < 4; count += 1) {
      const again = next();
      lives.at(-1)?.end();
      await again;
    }
    lives.at(-1)?.end('No.');
    await assert.rejects(kept.failed, (error: unknown) => {
      assert.ok(error instanceof PlainError);
      assert.match(
        error.message,
        /^The API stopped by itself 5 times, each within 60 s of its start.*\n {2}No\.$/,
      );
      return true;
    });
    assert.equal(lives.length, 5);
    await kept.stop();
  });

  it('is given up also when its ends lie further apart than the window', async () => {
    const { kept, lives, next } = newPart({ ...QUICK, windowMs: 200 });
    for (let count = 0; count < 4; count += 1) {
      const again = next();
      await new Promise((resolve) => setTimeout(resolve, 60));
      lives.at(-1)?.end();
      await again;
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
    lives.at(-1)?.end();
    await assert.rejects(kept.failed, /5 times/);
    await kept.stop();
  });

  it('begins anew with the shortest wait after a life longer than the window', async () => {
    const { kept, lives, said, next } = newPart({ ...QUICK, windowMs: 30 });
    for (const livedMs of [0, 40, 40, 40, 40, 40, 40]) {
      await new Promise((resolve) => setTimeout(resolve, livedMs));
      const again = next();
      lives.at(-1)?.end();
      await again;
    }
    assert.ok(
      said.filter((line) => line.includes('again in 0.001 s')).length >= 6,
      said.join('\n'),
    );
    await kept.stop();
  });

  it('counts a start that fails as an end', async () => {
    const first = newLife();
    const said: string[] = [];
    const kept = keepRunning({
      name: 'database',
      first,
      again: () => Promise.reject(new PlainError('The disk is full.')),
      say: (line) => said.push(line),
      pace: QUICK,
    });
    first.end();
    await assert.rejects(
      kept.failed,
      /5 times, each within 60 s of its start.*\n {2}The disk is full\./,
    );
    assert.ok(said.includes('  The disk is full.'));
    await kept.stop();
  });

  it('is not started again once it was told to stop', async () => {
    const { kept, lives } = newPart({ ...QUICK, firstMs: 20 });
    lives[0]?.end();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await kept.stop();
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(lives.length, 1);
  });

  it('is stopped also when the stop comes while it is being started', async () => {
    const first = newLife();
    const slow = newLife();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<Life>();
    const kept = keepRunning({
      name: 'database',
      first,
      again: () => {
        ask();
        return started;
      },
      say: () => {},
      pace: QUICK,
    });
    first.end();
    await asked;
    const stopped = kept.stop();
    start(slow);
    await stopped;
    assert.equal(slow.stops, 1);
  });
});
