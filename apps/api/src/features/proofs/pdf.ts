/**
 * Inspects a PDF in a thread of its own, which is ended when it takes too long or too much memory:
 * whatever a stranger's file does to its parser, the process goes on answering.
 */
import { Worker } from 'node:worker_threads';
import { SECOND } from '#kernel/clock.ts';
import { inTurn } from '#platform/files/file-turns.ts';
import type { PdfFault } from './pdf.worker.ts';

/** The thread's start included. Real documents take well below one second. */
const MAX_MS = 5 * SECOND;
const MAX_HEAP_MB = 96;

/** `costly` is one that was not read to its end. */
export type Fault = PdfFault | 'costly';

/** What is wrong with the PDF at this path, or null. @throws Refusal 503 when too many wait already */
export async function inspectPdf(path: string): Promise<Fault | null> {
  return inTurn(() => inspectInThread(path));
}

function inspectInThread(path: string): Promise<Fault | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), {
      workerData: path,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
      // The library's warnings of a damaged file are not for our log.
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
