/** Asking again while somebody looks; the browser and its clock are stood in for. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { whenSeenAgain, whileVisible } from './polling.ts';

const EVERY_MS = 10_000;
const TOGETHER_MS = 100;

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const frame = new EventTarget();
Object.assign(globalThis, {
  document: page,
  addEventListener: frame.addEventListener.bind(frame),
  removeEventListener: frame.removeEventListener.bind(frame),
});

/** A task, each time answered by hand. */
class Task {
  asked = 0;
  #answer = () => {};

  readonly run = (): Promise<void> => {
    this.asked += 1;
    return new Promise((resolve) => (this.#answer = resolve));
  };

  async answer(): Promise<void> {
    this.#answer();
    await settled();
  }
}

const settled = () => new Promise(setImmediate);

/** Both tell that the page is looked at again. */
function look(): void {
  page.dispatchEvent(new Event('visibilitychange'));
  frame.dispatchEvent(new Event('focus'));
  mock.timers.tick(TOGETHER_MS);
}

let task: Task;
let stop: () => void;
beforeEach(() => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  task = new Task();
});
afterEach(() => {
  stop();
  page.visibilityState = 'visible';
  mock.timers.reset();
});

describe('what is kept fresh while somebody looks', () => {
  it('is asked for at intervals, and not while the last answer is waited for', async () => {
    stop = whileVisible(EVERY_MS, task.run);
    mock.timers.tick(EVERY_MS - 1);
    assert.equal(task.asked, 0);
    mock.timers.tick(3 * EVERY_MS);
    assert.equal(task.asked, 1);
    await task.answer();
    assert.equal(task.asked, 1);
    mock.timers.tick(EVERY_MS);
    assert.equal(task.asked, 2);
  });

  it('is not asked for out of sight', () => {
    stop = whileVisible(EVERY_MS, task.run);
    page.visibilityState = 'hidden';
    mock.timers.tick(EVERY_MS);
    look();
    assert.equal(task.asked, 0);
  });

  it('is asked for once when the page is looked at again, however that is told', () => {
    stop = whenSeenAgain(task.run);
    look();
    assert.equal(task.asked, 1);
  });

  it('is asked for once more after a look that the last answer was waited for', async () => {
    stop = whenSeenAgain(task.run);
    for (let looks = 0; looks < 3; looks += 1) look();
    assert.equal(task.asked, 1);
    await task.answer();
    assert.equal(task.asked, 2);
    await task.answer();
    assert.equal(task.asked, 2);
  });

  it('is asked for no more once its page is gone', async () => {
    stop = whileVisible(EVERY_MS, task.run);
    look();
    look();
    stop();
    await task.answer();
    look();
    mock.timers.tick(EVERY_MS);
    assert.equal(task.asked, 1);
  });
});
