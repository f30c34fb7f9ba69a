/**
 * A customer's public read while somebody sends bodies that cost more than they weigh, at the
 * default throttles: four connections from four networks, each as fast as it is answered. Ends with
 * 1 where the 95th percentile of the read or the memory of the API's process is above its limit.
 * `npm run bench -- attacks 5` attacks for 5 seconds each instead of 20.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { connect } from '../apps/api/src/platform/db/database.ts';
import type { Attack, Statuses } from './attacker.ts';
import { startService } from './service.ts';

const SECONDS = Number(process.argv[2] ?? 20);
const CONNECTIONS = 4;
const READ = '/api/public/rates-showcase';
const READ_EVERY_MS = 50;
/** Each network may read 600 times a minute; so many share the reads, 20 a second. */
const READERS = 4;
const LIMIT_MS = 300;
const LIMIT_MB = 600;

const JSON_TYPE = { 'content-type': 'application/json' };
const MB = 1024 * 1024;
const many = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(',');
const unknownFields = Buffer.from(`{${many(20_000, (at) => `"k${at}":1`)}}`);

const service = await startService(async () => ({ THROTTLE_SCALE: '1', LOG_LEVEL: 'error' }));
const sql = connect(service.databaseUrl, 1);

/** Milliseconds until the read was answered; `Infinity` where it was refused. */
function read(localAddress: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    request(service.origin + READ, { localAddress, agent: false }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode === 200 ? performance.now() - began : Infinity);
      });
    })
      .once('error', () => resolve(Infinity))
      .end();
  });
}

/** The times of reads that begin every 50 ms, whether or not those before have been answered. */
async function readFor(seconds: number): Promise<number[]> {
  const reads: Promise<number>[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    reads.push(read(`127.0.2.${(reads.length % READERS) + 1}`));
    await sleep(READ_EVERY_MS);
  }
  return Promise.all(reads);
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

const figures = (times: readonly number[]) =>
  `median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`;

/** The most memory that the API's process held since the last call, in MB; Linux counts it. */
function peakMb(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Sends `attack` from one connection until the time is over; answers how often each status came. */
function send(attack: Attack): Promise<Statuses> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('attacker.ts', import.meta.url), { workerData: attack });
    worker.once('message', resolve).once('error', reject);
  });
}

async function post(path: string, body: object, headers: Record<string, string>) {
  const answer = await fetch(service.origin + path, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** The headers with which the answer's session writes. */
function sessionOf(answer: Response): Record<string, string> {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice(11) ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(token) };
}

const openSession = async () => sessionOf(await fetch(`${service.origin}/stateful/csrf-cookie`));

interface Customer {
  readonly headers: Record<string, string>;
  /** Where the proofs of their open exchange are sent. */
  readonly proofs: string;
}

/** A new customer with an exchange that awaits payment. */
async function openExchange(email: string): Promise<Customer> {
  const account = { name: 'Bench', email, password: 'a password for the bench' };
  const guest = await openSession();
  const signedUp = await post('/api/auth/signup', { ...account, terms_accepted: true }, guest);
  await sql`update users set email_verified_at = now() where email = ${email}`;
  const headers = sessionOf(signedUp);
  const asked = { pair: 'usd-to-eur', side: 'send', amount: '100.00' };
  const quote = (await (await post('/api/public/quotes', asked, {})).json()) as {
    data: { token: string };
  };
  const wanted = {
    quote_token: quote.data.token,
    sender_fields: { sender_name: 'Bench' },
    payout_fields: { holder: 'Bench', iban: 'DE89370400440532013000' },
    terms_accepted: true,
  };
  const made = await post('/api/exchanges', wanted, { ...headers, 'idempotency-key': email });
  const { data } = (await made.json()) as { data: { number: string } };
  return { headers, proofs: `/api/exchanges/${data.number}/proofs` };
}

/** A PDF as large as a proof may be, of escapes that a reader has to undo. */
function slowPdf(): Buffer {
  const [head, tail] = ['%PDF-1.4\n', '\n%%EOF'];
  const escapes = '#41'.repeat(Math.floor((5 * MB - head.length - tail.length) / 3));
  return Buffer.from(head + escapes + tail);
}

function multipart(file: Buffer): { headers: Record<string, string>; body: Buffer } {
  const head =
    '--bench\r\ncontent-disposition: form-data; name="proof"; filename="a.pdf"\r\n' +
    'content-type: application/pdf\r\n\r\n';
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=bench' },
    body: Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--bench--\r\n')]),
  };
}

type Planned = readonly [name: string, plan: (at: number) => Omit<Attack, 'origin' | 'seconds'>];

async function plannedAttacks(): Promise<Planned[]> {
  const guests = await Promise.all(Array.from({ length: CONNECTIONS }, openSession));
  const customers: Customer[] = [];
  for (let at = 0; at < CONNECTIONS; at += 1) {
    customers.push(await openExchange(`attacker-${at}@example.com`));
  }
  const json = (
    path: string,
    body: Buffer | string,
    headers: (at: number) => object = () => ({}),
  ) =>
    ((at: number) => ({
      path,
      localAddress: `127.0.1.${at + 1}`,
      headers: { ...JSON_TYPE, ...headers(at) },
      body: Buffer.from(body),
    })) satisfies Planned[1];
  const reports = `{"reports":[${many(80_000, () => '{}')}]}`;
  const proof = multipart(slowPdf());
  return [
    ['80,000 empty policy reports', json('/api/policy-reports', reports)],
    ['20,000 unknown fields to quotes', json('/api/public/quotes', unknownFields)],
    [
      '20,000 unknown fields to sign-in',
      json('/api/auth/signin', unknownFields, (at) => guests[at] ?? {}),
    ],
    ['250 kB of brackets', json('/api/public/quotes', '['.repeat(250_000))],
    ['1 MB of brackets', json('/api/public/quotes', '['.repeat(MB))],
    [
      'proofs of 5 MB of #41',
      (at) => ({
        ...json(customers[at]?.proofs ?? '', proof.body)(at),
        headers: { ...customers[at]?.headers, ...proof.headers },
      }),
    ],
  ];
}

/** Whether the reads and the memory stayed within their limits. */
async function measure([name, plan]: Planned): Promise<boolean> {
  peakMb();
  const attackers = Array.from({ length: CONNECTIONS }, (_, at) =>
    send({ origin: service.origin, seconds: SECONDS, ...plan(at) }),
  );
  const times = await readFor(SECONDS);
  const statuses: Record<string, number> = {};
  for (const each of await Promise.all(attackers)) {
    for (const [status, count] of Object.entries(each)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
  }
  const peak = peakMb();
  const isWithin = percentile(times, 0.95) <= LIMIT_MS && peak <= LIMIT_MB;
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const refused = times.filter((time) => time === Infinity).length;
  console.log(`${name}: ${isWithin ? 'within the limits' : 'ABOVE'}`);
  console.log(
    `  reads: ${figures(times)} (limit ${LIMIT_MS} ms), ${refused} of ${times.length} refused`,
  );
  console.log(`  memory: at most ${peak.toFixed(0)} MB (limit ${LIMIT_MB} MB)`);
  console.log(`  the attackers got: ${answers.join(', ')}`);
  return isWithin;
}

try {
  const attacks = await plannedAttacks();
  await readFor(1);
  const calm = await readFor(Math.min(SECONDS, 5));
  console.log(`Without an attack: ${figures(calm)}, ${peakMb().toFixed(0)} MB`);
  for (const attack of attacks) {
    if (!(await measure(attack))) process.exitCode = 1;
  }
} finally {
  await sql.end();
  await service.stop();
}
