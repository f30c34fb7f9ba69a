const TOGETHER_MS = 100;

/**
 * Keeps something fresh while someone looks: at intervals while the page is
 * visible, and at once when it comes back into view. A slow answer is waited
 * for, never overtaken.
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

/** The same without intervals: what changes by another tab or device is met when this one is looked at. */
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

  /** The question under way may have been answered before what is to be seen happened. */
  async look(): Promise<void> {
    this.#isWantedAgain = true;
    await this.tick();
  }

  /** What is under way ends; nothing more is asked. */
  stop(): void {
    this.#isWantedAgain = false;
  }
}

/** Focus and visibility often come together; one question answers both. */
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
