/**
 * Nothing grows with the table: what the console and a customer ask, what the acts cost and the reconciliation, at
 * 10,000 exchanges and at 1,000,000 (or the number that is given). Ends with 1 where something takes more than 1.3
 * times as long. 1,000,000 need 11 GB of disk, in the system's temporary folder. Of more than that, most are cancelled
 * and nothing else is written of them, on both desks: 10,000,000 need 50 GB.
 *
 *   node_modules/.bin/node bench/growth.ts [the larger number]
 */
import postgres from 'postgres';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';
import { reconcileDatabase } from '../apps/api/src/reconcile.ts';
import { openDesk, ways, type Headers } from './desk.ts';
import { grow, sizes } from './grow.ts';
import { consoleQuestions, deskQuestions, ownQuestions } from './questions.ts';
import { median, startService, type Service } from './service.ts';

const FEW = 10_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
/** Beyond these the disk is not enough for all that is written of each. */
const MOST_WHOLE = 1_000_000;
const MOST = 1.3;
const ASKED = 60;
const WARM_UP = 10;
/** How often an exchange ends so, of a hundred. */
const ENDS =
  MANY > MOST_WHOLE
    ? { completed: 22, cancelled: 75, rejected: 1, refunded: 2 }
    : { completed: 90, cancelled: 6, rejected: 2, refunded: 2 };
const MODELS_OF_A_WAY = 5;

/** A desk that has grown, and who asks it. */
interface Grown {
  readonly service: Service;
  readonly sql: postgres.Sql;
  readonly desk: ReturnType<typeof openDesk>;
  readonly admin: Headers;
  readonly own: Headers;
  readonly customers: readonly Headers[];
}

const merchant = 'merchant@example.com';
const stops: (() => Promise<unknown>)[] = [];

async function openGrown(size: number): Promise<Grown> {
  // While indexes are dropped, scheduled tasks wait for their tables, which the log would say.
  const service = await startService({ LOG_LEVEL: 'silent' });
  const options = { max: 1, onnotice: () => {} };
  const sql = postgres({ ...connectionOptions(service.databaseUrl), ...options });
  // The sessions outlive the growth.
  const renew = () => sql`update sessions set last_used_at = now(), confirmed_at = now()`.execute();
  const renewals = setInterval(() => void renew(), 60_000);
  stops.push(async () => clearInterval(renewals), sql.end, service.stop);
  const desk = openDesk(service, sql);
  const admin = await desk.operator();
  await sql`update pairs set evidence = 'reference'`;
  const own = await desk.signUp(merchant);
  const customers = await Promise.all(
    [1, 2, 3, 4].map((at) => desk.signUp(`bench-${at}@example.com`)),
  );
  const grown = { service, sql, desk, admin, own, customers };
  const models = await makeModels(grown);
  const cancelled = await sql<{ number: string }[]>`
    select number from exchanges where state = 'cancelled' and number = any(${models})`;
  const bare = MANY > MOST_WHOLE ? cancelled.map(({ number }) => number) : [];
  const began = performance.now();
  const superuser = postgres({ ...connectionOptions(service.superuserUrl), ...options });
  await grow(superuser, { size, models, bare, merchant });
  await superuser.end();
  await printSizes(sql, size, performance.now() - began);
  // The daily figures of three years.
  await desk.ask('/api/admin/tasks/roll-up-figures/runs', admin, {});
  return grown;
}

async function makeModels({ desk, customers, admin }: Grown): Promise<string[]> {
  const models: string[] = [];
  for (const [end, weight] of Object.entries(ENDS) as [keyof typeof ENDS, number][]) {
    const numbers: string[] = [];
    for (let at = 0; at < MODELS_OF_A_WAY; at += 1)
      numbers.push(await desk.exchange(customers[at % customers.length] ?? {}, admin, ways[end]));
    for (let at = 0; at < weight; at += 1) models.push(numbers[at % numbers.length] ?? '');
  }
  return models;
}

async function printSizes(sql: postgres.Sql, size: number, ms: number): Promise<void> {
  const { counts, bytes } = await sizes(sql);
  const text = (value: number) => Math.round(value).toLocaleString('en');
  console.log(`${text(size)} exchanges in ${text(ms / 1000)} s`);
  for (const { table, rows, bytes: own } of counts)
    console.log(
      `  ${table.padEnd(20)} ${text(rows).padStart(12)} rows ${text(own / 1e6).padStart(7)} MB`,
    );
  console.log(`  ${text(bytes / 1e6)} MB, ${text(bytes / size)} bytes for each exchange`);
}

/** Of each desk by the name of the question. */
async function questionsOf({ sql, admin, own }: Grown) {
  const askedBy = async (who: Headers, questions: typeof deskQuestions) =>
    Object.entries(await questions(sql, merchant)).map(
      ([name, path]) => [name, { who, path }] as const,
    );
  return new Map([
    ...(await askedBy(admin, deskQuestions)),
    ...(await askedBy(admin, consoleQuestions)),
    ...(await askedBy(own, ownQuestions)),
  ]);
}

/** Both desks in turn, since the machine's speed changes within minutes. */
async function compare(name: string, works: readonly (() => Promise<unknown>)[]) {
  const times = works.map((): number[] => []);
  for (let at = 0; at < ASKED + WARM_UP; at += 1) {
    for (const [which, work] of works.entries()) {
      const began = performance.now();
      await work();
      if (at >= WARM_UP) times[which]?.push(performance.now() - began);
    }
  }
  report(name, times);
}

function report(name: string, times: readonly (readonly number[])[]): void {
  const [few = Number.NaN, many = Number.NaN] = times.map(median);
  const ratio = many / few;
  const isWithin = ratio <= MOST;
  if (!isWithin) process.exitCode = 1;
  const ms = [few, many].map((each) => each.toFixed(1).padStart(8)).join(' ms ');
  console.log(
    `${name.padEnd(32)} ${ms} ms  ${ratio.toFixed(2)} (${isWithin ? 'within' : 'ABOVE'} ${MOST})`,
  );
}

async function compareActs(desks: readonly Grown[]): Promise<void> {
  for (let at = 0; at < ASKED + WARM_UP; at += 1) {
    for (const { desk, customers, admin } of desks) {
      if (at === WARM_UP) desk.times.clear();
      await desk.exchange(customers[at % customers.length] ?? {}, admin, ways.completed);
      // Since the checkpoint, after one more exchange.
      await desk.timed('reconcile', () => desk.ask('/api/admin/reserves/reconciliation', admin));
    }
  }
  for (const name of ['create', 'submit', 'claim', 'approve', 'complete', 'reconcile'])
    report(
      name,
      desks.map(({ desk }) => desk.times.get(name) ?? []),
    );
}

/** What has grown must be in order. Leaves the checkpoint from which the acts go on. */
async function reconcileWhole({ service }: Grown): Promise<void> {
  const began = performance.now();
  const { balanced, differences } = await reconcileDatabase(service.databaseUrl);
  if (!balanced) throw new Error(`The copies differ: ${JSON.stringify(differences.slice(0, 3))}`);
  console.log(`  the whole ledger reconciled in ${Math.round(performance.now() - began)} ms`);
}

try {
  const desks = [await openGrown(FEW), await openGrown(MANY)];
  for (const desk of desks) await reconcileWhole(desk);
  const questions = await Promise.all(desks.map(questionsOf));
  for (const name of questions[0]?.keys() ?? [])
    await compare(
      name,
      desks.map(({ desk }, which) => async () => {
        const { path = '', who = {} } = questions[which]?.get(name) ?? {};
        await (await desk.ask(path, who)).arrayBuffer();
      }),
    );
  await compareActs(desks);
} finally {
  for (const stop of stops) await stop();
}
