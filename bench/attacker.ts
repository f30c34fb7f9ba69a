/** One connection that sends the same request again as soon as it is answered, in a thread of its own. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface Attack {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** From which of the machine's loopback addresses: each is a network to the throttles. */
  readonly localAddress: string;
  readonly seconds: number;
}

/** How often each status came; `cut` where the connection was closed before an answer. */
export type Statuses = Readonly<Record<string, number>>;

const { origin, path, headers, body, localAddress, seconds } = workerData as Attack;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function send(): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      origin + path,
      {
        method: 'POST',
        agent,
        localAddress,
        headers: { ...headers, 'content-length': body.length },
      },
      (answer) => {
        answer.resume().once('close', () => resolve(String(answer.statusCode)));
      },
    );
    asked.once('error', () => resolve('cut'));
    asked.end(body);
  });
}

const statuses: Record<string, number> = {};
const end = performance.now() + seconds * 1000;
while (performance.now() < end) {
  const status = await send();
  statuses[status] = (statuses[status] ?? 0) + 1;
}
agent.destroy();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origins
parentPort?.postMessage(statuses);
