/** The thread in which a stranger's message is read: it can be ended, whatever the message holds. */
import { parentPort, workerData } from 'node:worker_threads';
import { readReport } from './report.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origins
parentPort?.postMessage(await readReport(workerData as Uint8Array));
