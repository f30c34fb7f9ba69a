const TOGETHER_MS = 100;

/**
 * Runs a task at intervals while the page is visible, and at once when it becomes visible. Runs do
 * not overlap.
 */
export function whileVisible(everyMs: number, task: () => unknown): () => void {
  const asking = new Asking(task);
  const timer = setInterval(() => asking.tick(), everyMs);
  const forget = onReturning(() => asking.look());
  return () => {
    clearInterval(timer);
    forget();
    asking.stop();
  };
}

/** Runs a task when the page becomes visible again, for changes in other tabs or devices. */
export function whenSeenAgain(task: () => unknown): () => void {
  const asking = new Asking(task);
  const forget = onReturning(() => asking.look());
  return () => {
    forget();
    asking.stop();
  };
}

class Asking {
  readonly #task: () => unknown;
  #running = false;
  #isWantedAgain = false;

  constructor(task: () => unknown) {
    this.#task = task;
  }

  async tick(): Promise<void> {
    if (this.#running || document.visibilityState === 'hidden') return;
    this.#running = true;
    this.#isWantedAgain = false;
    try {
      await this.#task();
    } finally {
      this.#running = false;
    }
    if (this.#isWantedAgain) await this.tick();
  }

  /** The running task may have been answered before the change. */
  async look(): Promise<void> {
    this.#isWantedAgain = true;
    await this.tick();
  }

  /** A running task finishes. */
  stop(): void {
    this.#isWantedAgain = false;
  }
}

/** Focus and visibility often change together and need one run. */
function onReturning(run: () => unknown): () => void {
  let soon: ReturnType<typeof setTimeout> | undefined;
  const returned = () => {
    clearTimeout(soon);
    soon = setTimeout(run, TOGETHER_MS);
  };
  addEventListener('focus', returned);
  document.addEventListener('visibilitychange', returned);
  return () => {
    clearTimeout(soon);
    removeEventListener('focus', returned);
    document.removeEventListener('visibilitychange', returned);
  };
}
