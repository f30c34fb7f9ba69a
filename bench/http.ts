/**
 * Public reads of the running service, relative to bare node:http sending the
 * same bytes. What is compared is the processor time that the server's process
 * spends on a request (Linux counts it in /proc), since requests per second
 * would mostly measure the load generator beside it. Rounds alternate, so that
 * both see the same machine; the median of the rounds' ratios is printed.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { median, message, startService } from './service.ts';

const PATHS = [
  '/api/public/currencies-converter',
  '/api/public/rates-showcase',
  '/api/public/latest-exchanges',
  '/api/settings/home-page',
];
const ROUNDS = 5;
const ROUND_MS = 2000;
const CONNECTIONS = 32;
/** What design/architecture.md asks for: "close to what bare Node can serve". */
const WANTED = 0.5;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function read(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts));
        else reject(new Error(`${url} answered ${response.statusCode}.`));
      });
    }).on('error', reject);
  });
}

const TICKS_PER_SECOND = 100;

/** Processor time of a process so far, in milliseconds. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Microseconds of the server's processor time for one request, over one round. */
async function load(url: string, pid: number): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let served = 0;
  const visitor = async () => {
    while (performance.now() < end) {
      await read(url);
      served += 1;
    }
  };
  const before = processorMs(pid);
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor));
  return ((processorMs(pid) - before) * 1000) / served;
}

async function measure(origin: string, pid: number, path: string): Promise<void> {
  const body = await read(origin + path);
  const bare = fork(new URL('bare-server.ts', import.meta.url), [body.toString('base64')]);
  const { port } = await message<{ port: number }>(bare);
  const limit = `http://127.0.0.1:${port}/`;
  const rounds: { own: number; least: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const own = await load(origin + path, pid);
    const least = await load(limit, bare.pid ?? 0);
    // The first round warms both up.
    if (round > 0) rounds.push({ own, least });
  }
  bare.disconnect();
  const ratio = median(rounds.map(({ own, least }) => least / own));
  const spent = median(rounds.map(({ own }) => own));
  const verdict = ratio >= WANTED ? 'within' : 'BELOW';
  console.log(
    `${path.padEnd(34)} ${String(body.length).padStart(6)} B  ${spent.toFixed(0).padStart(4)} µs each  ${ratio.toFixed(2)} of bare node:http  (${verdict} the wanted ${WANTED})`,
  );
}

const service = await startService();
try {
  for (const path of PATHS) await measure(service.origin, service.pid, path);
} finally {
  agent.destroy();
  await service.stop();
}
