const TOGETHER_MS = 100;

/**
 * Keeps something fresh while someone looks: at intervals while the page is
 * visible, and at once when it comes back into view. A slow answer is waited
 * for, never overtaken.
 */
export function whileVisible(everyMs: number, task: () => unknown): () => void {
  const run = asking(task);
  const timer = setInterval(run, everyMs);
  const forget = onReturning(run);
  return () => {
    clearInterval(timer);
    forget();
  };
}

/** The same without intervals: what changes by another tab or device is met when this one is looked at. */
export function whenSeenAgain(task: () => unknown): () => void {
  return onReturning(asking(task));
}

function asking(task: () => unknown): () => Promise<void> {
  let running = false;
  return async () => {
    if (running || document.visibilityState === 'hidden') return;
    running = true;
    try {
      await task();
    } finally {
      running = false;
    }
  };
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
