/**
 * A report, read in a thread of its own: a message can be made so that its MIME takes minutes to
 * read, and what holds a thread can only be ended from outside.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Report } from './report.ts';

/** What a real report needs is a few hundredths of a second. */
const PATIENCE_MS = 5_000;
const MOST_MEMORY_MB = 128;

/** Null for what is no message, or none that can be read in time. @throws {Error} where no thread begins. */
export async function readReportInTime(
  raw: Uint8Array,
  patienceMs = PATIENCE_MS,
): Promise<Report | null> {
  const worker = new Worker(new URL('./report.worker.ts', import.meta.url), {
    workerData: raw,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const patience = new AbortController();
  const late = sleep(patienceMs, null, { signal: patience.signal }).catch(() => null);
  try {
    return await Promise.race([answerOf(worker), late]);
  } finally {
    patience.abort();
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<Report | null> {
  return new Promise((resolve, reject) => {
    worker.once('message', (report: Report | null) => resolve(report));
    worker.once('error', (error: NodeJS.ErrnoException) => {
      // The message's fault; anything else is ours.
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(null);
      else reject(error);
    });
  });
}
