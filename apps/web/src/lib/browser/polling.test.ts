/** Polling, with a fake browser and clock. */
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

/** A task that is answered by hand. */
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

/** Both events fire when the page becomes visible. */
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

describe('a polled task', () => {
  it('runs at intervals, but not while the last run is pending', async () => {
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

  it('does not run while the page is hidden', () => {
    stop = whileVisible(EVERY_MS, task.run);
    page.visibilityState = 'hidden';
    mock.timers.tick(EVERY_MS);
    look();
    assert.equal(task.asked, 0);
  });

  it('runs once when the page becomes visible, whatever the events', () => {
    stop = whenSeenAgain(task.run);
    look();
    assert.equal(task.asked, 1);
  });

  it('runs again after a visit during which the last run was pending', async () => {
    stop = whenSeenAgain(task.run);
    for (let looks = 0; looks < 3; looks += 1) look();
    assert.equal(task.asked, 1);
    await task.answer();
    assert.equal(task.asked, 2);
    await task.answer();
    assert.equal(task.asked, 2);
  });

  it('stops with its page', async () => {
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
