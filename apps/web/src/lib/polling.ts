/**
 * Keeps something fresh while someone looks: at intervals while the page is
 * visible, and at once when it comes back into view. A slow answer is waited
 * for, never overtaken.
 */
export function whileVisible(everyMs: number, task: () => Promise<unknown>): () => void {
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

  const timer = setInterval(run, everyMs);
  addEventListener('focus', returned);
  document.addEventListener('visibilitychange', returned);
  return () => {
    clearInterval(timer);
    removeEventListener('focus', returned);
    document.removeEventListener('visibilitychange', returned);
  };
}
