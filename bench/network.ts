/**
 * The service when the network to its database fails or is slow, with a proxy between the two:
 * how long after the network's return it serves again when all its open connections were forgotten
 * for five seconds; and what it serves ten and 120 readers of a public search at a round trip of
 * 500 ms, and how late the refusals come. Ends with 1 beyond the limits.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNetworkProxy, type NetworkProxy } from '../apps/api/test/fakes/network-proxy.ts';
import { startService } from './service.ts';

/** Not kept in memory, so that each read asks the database. */
const SEARCH = '/api/public/blogs?q=rates';
const LOST_MS = 5000;
const BACK_WITHIN_MS = 10_000;
const ONE_WAY_MS = 250;
const FEW = 10;
const MANY = 120;
const ROUND_MS = 30_000;
const REFUSED_WITHIN_MS = 2500;

interface Read {
  readonly status: number;
  readonly startedAt: number;
  readonly tookMs: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: MANY });

function read(origin: string): Promise<Read> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(origin + SEARCH, { agent }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          startedAt,
          tookMs: performance.now() - startedAt,
        }),
      );
    }).on('error', reject);
  });
}

/** So many readers, each of which reads again when it was answered, until the time is over. */
async function load(origin: string, readers: number, durationMs: number): Promise<Read[]> {
  const end = performance.now() + durationMs;
  const reads: Read[] = [];
  const reader = async () => {
    while (performance.now() < end) {
      const done = await read(origin);
      if (performance.now() < end) reads.push(done);
      // As a client that heeds Retry-After at least a little.
      if (done.status !== 200) await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return reads;
}

function judge(what: string, value: number, unit: string, isWithin: boolean, limit: string): void {
  if (!isWithin) process.exitCode = 1;
  const verdict = isWithin ? 'within' : 'BEYOND';
  console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(7)} ${unit}  (${verdict} ${limit})`);
}

async function lose(origin: string, network: NetworkProxy): Promise<void> {
  await load(origin, FEW, 2000);
  const reading = load(origin, FEW, LOST_MS + 2 * BACK_WITHIN_MS);
  await sleep(1000);
  network.lose();
  await sleep(LOST_MS);
  network.pass();
  const backAt = performance.now();
  const reads = await reading;
  const endOf = ({ startedAt, tookMs }: Read) => startedAt + tookMs - backAt;
  const after = reads.filter((each) => endOf(each) > 0);
  const firstGood = Math.min(...after.filter(({ status }) => status === 200).map(endOf));
  const lastBad = Math.max(0, ...after.filter(({ status }) => status !== 200).map(endOf));
  const allGood = Math.min(
    ...after.filter((each) => each.status === 200 && endOf(each) > lastBad).map(endOf),
  );
  for (const [what, ms] of [
    ['first good read after the network is back', firstGood],
    ['no more bad ones after', allGood],
  ] as const) {
    judge(what, ms / 1000, 's', ms <= BACK_WITHIN_MS, `${BACK_WITHIN_MS / 1000} s`);
  }
}

async function slow(origin: string, network: NetworkProxy): Promise<void> {
  network.delay(ONE_WAY_MS);
  // Connections are opened, which takes several round trips.
  await load(origin, FEW, 8000);
  const goodOf = (reads: readonly Read[]) => reads.filter(({ status }) => status === 200).length;
  const few = goodOf(await load(origin, FEW, ROUND_MS));
  const crowd = await load(origin, MANY, ROUND_MS);
  const many = goodOf(crowd);
  const refused = crowd.filter(({ status }) => status === 503);
  const others = crowd.filter(({ status }) => status !== 200 && status !== 503);
  for (const [readers, good] of [
    [FEW, few],
    [MANY, many],
  ] as const) {
    console.log(
      `${readers} readers at 500 ms: ${((good * 1000) / ROUND_MS).toFixed(1)} good reads/s`,
    );
  }
  // Ten readers are answered in rounds, the last of which may fall within the time or not.
  const least = (few - FEW) / few;
  const limit = `1, less one round of ${FEW}: ${least.toFixed(2)}`;
  judge(`goodput of ${MANY} to that of ${FEW}`, many / few, '×', many / few >= least, limit);
  console.log(`${refused.length} refused`);
  const latest = Math.max(0, ...refused.map(({ tookMs }) => tookMs));
  judge('latest refusal', latest / 1000, 's', latest <= REFUSED_WITHIN_MS, '2.5 s');
  judge('neither 200 nor 503', others.length, '', others.length === 0, '0');
  network.delay(0);
}

let proxy: NetworkProxy | undefined;
const service = await startService(async (databaseUrl) => {
  proxy = await startNetworkProxy(databaseUrl);
  return { DATABASE_URL: proxy.url, LOG_LEVEL: 'error' };
});
const network = proxy as unknown as NetworkProxy;
try {
  await lose(service.origin, network);
  await slow(service.origin, network);
} finally {
  agent.destroy();
  await service.stop();
  await network.stop();
}
