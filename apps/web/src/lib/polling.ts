/**
 * Keeps something fresh while someone looks: at intervals while the page is
 * visible, and at once when it comes back into view. A slow answer is waited
 * for, never overtaken.
 */
export function whileVisible(everyMs: number, task: () => unknown): () => void {
  const { run, returned } = asking(task);
  const timer = setInterval(run, everyMs);
  const forget = onReturning(returned);
  return () => {
    clearInterval(timer);
    forget();
  };
}

/** The same without intervals: what changes by another tab or device is met when this one is looked at. */
export function whenSeenAgain(task: () => unknown): () => void {
  return onReturning(asking(task).returned);
}

function asking(task: () => unknown) {
  let running = false;
  let last = Date.now();

  async function run() {
    if (running || document.visibilityState === 'hidden') return;
    running = true;
    last = Date.now();
    try {
      await task();
    } finally {
      running = false;
    }
  }
  // Focus and visibility often come together; one question answers both.
  const returned = () => {
    if (Date.now() - last > 1_000) void run();
  };
  return { run, returned };
}

function onReturning(returned: () => void): () => void {
  addEventListener('focus', returned);
  document.addEventListener('visibilitychange', returned);
  return () => {
    removeEventListener('focus', returned);
    document.removeEventListener('visibilitychange', returned);
  };
}
