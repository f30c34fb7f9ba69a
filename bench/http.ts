/**
 * Public reads of the API and guests' pages, relative to bare node:http sending the same bytes and headers. What
 * is compared is the processor time that the server's process spends on a request (Linux counts it in /proc), since
 * requests per second would mostly measure the load generator beside it. Rounds alternate, so that both see the
 * same machine; the median of the rounds' ratios is printed, and their spread. Ends with 1 below a limit.
 */
import { fork } from 'node:child_process';
import { connect } from '../apps/api/src/platform/db/database.ts';
import type { Bare } from './bare-server.ts';
import { openDesk } from './desk.ts';
import { median, message, processorMs, send, startService, startSite } from './service.ts';

const READS = [
  '/api/public/currencies-converter',
  '/api/public/rates-showcase',
  '/api/public/latest-exchanges',
  '/api/settings/home-page',
];
const PAGES = ['/', '/rates', '/blog'];
const ROUNDS = 5;
const ROUND_MS = 2000;
const CONNECTIONS = 32;
const CUSTOMER = 'bench@example.com';
/** The limit looks up each session by itself; the service those of the same moment by one query. */
const LEAST_OF_SESSIONS = 0.5;
/** What design/architecture.md asks for: "close to what bare Node can serve". */
const LEAST_OF_READS = 0.7;
const LEAST_OF_PAGES = 0.6;

type Headers = Readonly<Record<string, string>>;

/** The tag of the answer at this address. */
async function tagAt(url: string): Promise<string> {
  const { headers } = await send(url, {});
  return headers[headers.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? '';
}

interface Target {
  readonly origin: string;
  readonly pid: number;
  readonly path: string;
  readonly headers: Headers;
  readonly lookUp?: NonNullable<Bare['lookUp']>;
}

/** Microseconds of the server's processor time for one request, over one round. */
async function load({ origin, path, pid, headers }: Target): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let served = 0;
  const visitor = async () => {
    while (performance.now() < end) {
      await send(origin + path, headers);
      served += 1;
    }
  };
  const before = processorMs(pid);
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor));
  return ((processorMs(pid) - before) * 1000) / served;
}

/** Whether it is within the limit. */
async function measure(target: Target, wanted: number): Promise<boolean> {
  const { status, body, headers } = await send(target.origin + target.path, target.headers);
  // The server names the time and the connection itself.
  const own = headers.flatMap((name, at) =>
    at % 2 === 0 && !/^(date|connection|keep-alive)$/i.test(name)
      ? [name, headers[at + 1] ?? '']
      : [],
  );
  const { lookUp } = target;
  const like: Bare = { body: body.toString('base64'), headers: own, status, lookUp };
  const bare = fork(new URL('bare-server.ts', import.meta.url), [JSON.stringify(like)]);
  const { port } = await message<{ port: number }>(bare);
  const limit = { ...target, origin: `http://127.0.0.1:${port}`, pid: bare.pid ?? 0 };
  const rounds: { spent: number; ratio: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const spent = await load(target);
    const ratio = (await load(limit)) / spent;
    // The first round warms both up.
    if (round > 0) rounds.push({ spent, ratio });
  }
  bare.disconnect();
  const ratios = rounds.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
  const ratio = median(ratios);
  const isWithin = ratio >= wanted;
  const words = [
    `${target.path} ${status} ${target.headers['accept-encoding'] ?? ''}`.padEnd(42),
    `${String(body.length).padStart(6)} B`,
    `${median(rounds.map(({ spent }) => spent))
      .toFixed(0)
      .padStart(6)} µs each`,
    `${ratio.toFixed(2)} of bare node:http (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`,
    `${isWithin ? 'within' : 'BELOW'} ${wanted}`,
  ];
  console.log(words.join('  '));
  return isWithin;
}

const service = await startService();
const sql = connect(service.databaseUrl, 1);
const site = await startSite(service);
try {
  const results: boolean[] = [];
  for (const path of READS)
    for (const headers of [{}, { 'if-none-match': await tagAt(service.origin + path) }])
      results.push(await measure({ ...service, path, headers }, LEAST_OF_READS));
  const { cookie = '' } = await openDesk(service, sql).signUp(CUSTOMER);
  const lookUp = {
    databaseUrl: service.databaseUrl,
    statement: `select s.remember, s.created_at, s.last_used_at, s.confirmed_at, u.*
      from sessions s join users u on u.id = s.user_id where u.email = $1`,
    parameter: CUSTOMER,
  };
  const session = { ...service, path: '/api/user', headers: { cookie }, lookUp };
  results.push(await measure(session, LEAST_OF_SESSIONS));
  for (const path of PAGES)
    for (const encoding of ['gzip', 'br'])
      results.push(
        await measure({ ...site, path, headers: { 'accept-encoding': encoding } }, LEAST_OF_PAGES),
      );
  if (results.includes(false)) process.exitCode = 1;
} finally {
  await sql.end();
  await site.stop();
  await service.stop();
}
