/**
 * Nothing grows with the table: what the console and a customer ask, what the acts cost and the reconciliation, at
 * 10,000 exchanges and at 1,000,000 (or the number that is given). Ends with 1 where something takes more than 1.3
 * times as long. 1,000,000 need 6 GB of disk, in the system's temporary folder.
 *
 *   node_modules/.bin/node bench/growth.ts [the larger number]
 */
import postgres from 'postgres';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';
import { reconcileDatabase } from '../apps/api/src/reconcile.ts';
import { openDesk, ways, type Headers } from './desk.ts';
import { grow, sizes } from './grow.ts';
import { consoleQuestions, deskQuestions, ownQuestions } from './questions.ts';
import { median, startService } from './service.ts';

const FEW = 10_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const MOST = 1.3;
const ASKED = 60;
const WARM_UP = 10;
/** How often an exchange ends so, of a hundred. */
const ENDS = { completed: 90, cancelled: 6, rejected: 2, refunded: 2 } as const;
const MODELS_OF_A_WAY = 5;

interface Question {
  readonly who: Headers;
  readonly path: string;
}
/** What something took, and relative to a reading or a transaction that does not grow. */
interface Taken {
  readonly ms: number;
  readonly share: number;
}

// While indexes are dropped, scheduled tasks wait for their tables, which the log would say.
const service = await startService({ LOG_LEVEL: 'silent' });
const options = { max: 1, onnotice: () => {} };
const sql = postgres({ ...connectionOptions(service.databaseUrl), ...options });
const superuser = postgres({ ...connectionOptions(service.superuserUrl), ...options });
const desk = openDesk(service, sql);
const merchant = 'merchant@example.com';

async function timesOf({ who, path }: Question): Promise<number> {
  const began = performance.now();
  await (await desk.ask(path, who)).arrayBuffer();
  return performance.now() - began;
}

/** Each in turn with a reading that does not grow: the machine's speed changes within minutes. */
async function askAll(questions: ReadonlyMap<string, Question>): Promise<Map<string, Taken>> {
  const taken = new Map<string, Taken>();
  for (const [name, question] of questions) {
    const own: number[] = [];
    const reference: number[] = [];
    for (let at = 0; at < ASKED + WARM_UP; at += 1) {
      const [one, other] = [
        await timesOf(question),
        await timesOf({ ...question, path: '/api/user' }),
      ];
      if (at < WARM_UP) continue;
      own.push(one);
      reference.push(other);
    }
    taken.set(name, { ms: median(own), share: median(own) / median(reference) });
  }
  return taken;
}

/** Beside a bare transaction. */
async function walkAll(customers: readonly Headers[], admin: Headers): Promise<Map<string, Taken>> {
  for (let at = 0; at < ASKED + WARM_UP; at += 1) {
    if (at === WARM_UP) desk.times.clear();
    await desk.exchange(customers[at % customers.length] ?? {}, admin, ways.completed);
    await desk.bare();
  }
  const least = median(desk.times.get('bare') ?? []);
  return new Map(
    ['create', 'submit', 'claim', 'approve', 'complete'].map((name) => {
      const ms = median(desk.times.get(name) ?? []);
      return [name, { ms, share: ms / least }];
    }),
  );
}

/** As the command does; what has grown must be in order. */
async function reconcileAll(): Promise<Taken> {
  const times: number[] = [];
  // Fewer where it takes minutes.
  for (let at = 0, spent = 0; at < ASKED && spent < 60_000; at += 1) {
    const began = performance.now();
    const { balanced, differences } = await reconcileDatabase(service.databaseUrl);
    if (!balanced) throw new Error(`The copies differ: ${JSON.stringify(differences.slice(0, 3))}`);
    times.push(performance.now() - began);
    spent += performance.now() - began;
  }
  return { ms: median(times), share: median(times) };
}

async function measure(admin: Headers, own: Headers, customers: readonly Headers[]) {
  const reconciled = await reconcileAll();
  const questions = new Map<string, Question>();
  for (const [name, path] of Object.entries({
    ...(await deskQuestions(sql, merchant)),
    ...(await consoleQuestions(sql, merchant)),
  }))
    questions.set(name, { who: admin, path });
  for (const [name, path] of Object.entries(await ownQuestions(sql, merchant)))
    questions.set(name, { who: own, path });
  return new Map([
    ...(await askAll(questions)),
    ...(await walkAll(customers, admin)),
    ['reconcile', reconciled],
  ]);
}

async function growTo(to: number, from: number, models: readonly string[]): Promise<void> {
  const began = performance.now();
  await grow(superuser, { from, to, models, merchant });
  const { counts, bytes } = await sizes(sql);
  const text = (value: number) => value.toLocaleString('en');
  console.log(`${text(to)} exchanges in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  for (const { table, rows, bytes: own } of counts)
    console.log(
      `  ${table.padEnd(20)} ${text(rows).padStart(12)} rows ${text(Math.round(own / 1e6)).padStart(7)} MB`,
    );
  console.log(
    `  ${text(Math.round(bytes / 1e6))} MB, ${text(Math.round(bytes / to))} bytes for each exchange`,
  );
}

try {
  const admin = await desk.operator();
  await sql`update pairs set evidence = 'reference'`;
  const own = await desk.signUp(merchant);
  const customers = await Promise.all(
    [1, 2, 3, 4].map((at) => desk.signUp(`bench-${at}@example.com`)),
  );
  const models: string[] = [];
  for (const [end, weight] of Object.entries(ENDS) as [keyof typeof ENDS, number][]) {
    const numbers: string[] = [];
    for (let at = 0; at < MODELS_OF_A_WAY; at += 1)
      numbers.push(await desk.exchange(customers[at % customers.length] ?? {}, admin, ways[end]));
    for (let at = 0; at < weight; at += 1) models.push(numbers[at % numbers.length] ?? '');
  }
  await growTo(FEW, 0, models);
  // The daily figures of three years, which stay as they are.
  await desk.ask('/api/admin/tasks/roll-up-figures/runs', admin, {});
  const few = await measure(admin, own, customers);
  await growTo(MANY, FEW, models);
  const many = await measure(admin, own, customers);
  for (const [name, one] of few) {
    const other = many.get(name);
    if (!other) throw new Error(`${name} was not measured.`);
    const ratio = other.share / one.share;
    const isWithin = ratio <= MOST;
    if (!isWithin) process.exitCode = 1;
    console.log(
      `${name.padEnd(32)} ${one.ms.toFixed(1).padStart(8)} ms ${other.ms.toFixed(1).padStart(8)} ms  ${ratio.toFixed(2)} (${isWithin ? 'within' : 'ABOVE'} ${MOST})`,
    );
  }
} finally {
  await sql.end();
  await superuser.end();
  await service.stop();
}
