/**
 * Pages that follow the desk: what 5,000 of them in one process cost in memory, what it costs to tell a change to all,
 * and what a heartbeat costs, which checks their sessions. Beside a bare node:http server that holds as many answers
 * open and writes the same bytes. Processor time, as in http.ts.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, get, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { openKeys } from '../apps/api/src/platform/security/keys.ts';
import { hashSessionId, newSessionId } from '../apps/api/src/platform/security/sessions.ts';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';
import { openDesk } from './desk.ts';
import { APP_KEY, median, memoryKb, message, processorMs, startService } from './service.ts';

const PAGES = 5000;
const PAGES_OF_ONE = 8;
const CHANGES = 20;
const ROUNDS = 5;
const HEARTBEAT_MS = 20_000;
const CHANGE = { number: 'X', version: 2, state: 'under_review', queue: null, by: randomUUID() };
const EVENT = `event: exchange\ndata: ${JSON.stringify({ ...CHANGE, by: undefined, own: false })}\n\n`;
/** Of the bare server's work; the largest memory of a page. */
const LEAST = 0.3;
const MOST_KB = 60;

if (process.argv[2] === 'bare') serveBare();
else await compare();

function serveBare(): void {
  const pages: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 3000\n\n');
    pages.push(response);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
  });
  process.on('message', (text: string) => {
    for (const page of pages) page.write(text);
  });
  process.on('disconnect', () => process.exit(0));
}

/** Opens a page that counts the bytes it has read; resolves when it is open. */
function follow(url: string, cookie: string, read: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, headers: { cookie } }, (response) => {
      if (response.statusCode === 200) resolve();
      else reject(new Error(`${url} answered ${response.statusCode}.`));
      response.on('data', ({ length }: Buffer) => read(length));
    });
    asked.on('error', reject);
  });
}

interface Target {
  readonly pid: number;
  readonly url: string;
  readonly cookieOf: (at: number) => string;
  tell(text: string): Promise<unknown>;
}

/** Memory of a page in kB, and microseconds of processor time for each page that gets a change. */
async function measure({ pid, url, cookieOf, tell }: Target) {
  let bytes = 0;
  const add = (more: number) => void (bytes += more);
  const before = memoryKb(pid);
  for (let at = 0; at < PAGES; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, more) => follow(url, cookieOf(at + more), add)),
    );
  await sleep(1000);
  const kb = (memoryKb(pid) - before) / PAGES;
  const changes: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [from, began] = [bytes, processorMs(pid)];
    for (let each = 0; each < CHANGES; each += 1) await tell(EVENT);
    while (bytes < from + EVENT.length * PAGES * CHANGES) await sleep(20);
    if (round > 0) changes.push(((processorMs(pid) - began) * 1000) / PAGES / CHANGES);
  }
  return { kb, change: median(changes) };
}

async function compare(): Promise<void> {
  const service = await startService();
  const sql = postgres({ ...connectionOptions(service.databaseUrl), max: 1, onnotice: () => {} });
  const bare = fork(import.meta.filename, ['bare']);
  try {
    const { port } = await message<{ port: number }>(bare);
    const cookies = await operators(sql);
    const own = await measure({
      pid: service.pid,
      url: `${service.origin}/api/admin/exchanges/events`,
      cookieOf: (at) => cookies[Math.floor(at / PAGES_OF_ONE)] ?? '',
      tell: () => sql`select pg_notify('cambist_exchange', ${JSON.stringify(CHANGE)})`,
    });
    const began = processorMs(service.pid);
    await sleep(HEARTBEAT_MS);
    const heartbeat = ((processorMs(service.pid) - began) * 1000) / PAGES;
    const limit = await measure({
      pid: bare.pid ?? 0,
      url: `http://127.0.0.1:${port}/`,
      cookieOf: () => '',
      tell: (text) => new Promise((resolve) => bare.send(text, resolve)),
    });
    const ratio = limit.change / own.change;
    const isWithin = ratio >= LEAST && own.kb <= MOST_KB;
    console.log(
      `${PAGES} pages: ${own.kb.toFixed(1)} kB each (bare ${limit.kb.toFixed(1)}; at most ${MOST_KB});`,
      `a change ${own.change.toFixed(1)} µs each, ${ratio.toFixed(2)} of bare (at least ${LEAST});`,
      `20 seconds with a heartbeat ${heartbeat.toFixed(1)} µs each  ${isWithin ? 'within' : 'BELOW'}`,
    );
    if (!isWithin) process.exitCode = 1;
  } finally {
    bare.disconnect();
    await sql.end();
    await service.stop();
  }

  /** Enough operators with a session each; their cookies. */
  async function operators(owner: postgres.Sql): Promise<string[]> {
    await openDesk(service, owner).operator();
    const keys = openKeys(APP_KEY);
    const ids = Array.from({ length: Math.ceil(PAGES / PAGES_OF_ONE) }, () =>
      newSessionId(keys, 'm', new Date()),
    );
    const users = await owner<{ id: string }[]>`
      insert into users (id, name, email, role, permissions, password_hash, email_verified_at)
      select gen_random_uuid(), name, 'bench-' || at || '@example.com', role, permissions, password_hash, now()
      from generate_series(1, ${ids.length}) at,
        (select * from users where role = 'admin' and 'desk' = any(permissions) limit 1) admin
      returning id`;
    for (const [at, { id }] of users.entries())
      await owner`
        insert into sessions (id, id_hash, user_id, remember, ip, user_agent, created_at, last_used_at, confirmed_at)
        values (gen_random_uuid(), ${hashSessionId(ids[at] ?? '')}, ${id}, false, '127.0.0.1', 'bench', now(), now(), now())`;
    return ids.map((id) => `cambist_session=${id}`);
  }
}
