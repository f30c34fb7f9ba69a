/** Inspects a PDF in a thread with limits of time and memory, so that no file blocks the process. */
import { Worker } from 'node:worker_threads';
import { SECOND } from '#kernel/clock.ts';
import { decodingQueue } from '#platform/files/drawing.ts';
import type { PdfFault } from './pdf.worker.ts';

/** Including the start of the thread. Ordinary documents take less than a second. */
const MAX_MS = 5 * SECOND;
const MAX_HEAP_MB = 96;

/** `costly`: the limits were exceeded. */
export type Fault = PdfFault | 'costly';

/** Null for a valid PDF. @throws Refusal 503 when too many files wait */
export async function inspectPdf(path: string): Promise<Fault | null> {
  return decodingQueue(() => inspectInThread(path));
}

function inspectInThread(path: string): Promise<Fault | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), {
      workerData: path,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
      // Keeps the library's warnings about damaged files out of the log.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    let fault: Fault | null = 'costly';
    const timer = setTimeout(() => void worker.terminate(), MAX_MS);
    worker.once('message', (found: PdfFault | null) => (fault = found));
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(fault);
    });
  });
}
