/**
 * Creating an exchange at 16 customers at once, beside its own statements by the bare driver. A create of each customer
 * is recorded: the statements with their parameters, which of them share a round trip, begin and commit. The bare side
 * sends the same from 16 connections, prepared, under identifiers that are as new: it waits for the same locks, passes
 * the same constraints and triggers, and writes and commits the same rows, which is verified. It has no HTTP, validation
 * or pool, and makes no prices, emails or answers. Both sides have one machine, which the service shares with the load
 * generator, and no `fsync`: commits are cheap, and all else counts. The emails of both are sent by the service.
 * Rounds alternate; the median of their ratios is printed, and their spread. Ends with 1 below the limit.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../apps/api/src/app.ts';
import { readConfig } from '../apps/api/src/config.ts';
import { features } from '../apps/api/src/features.ts';
import { newExchangeNumber, newId } from '../apps/api/src/kernel/id.ts';
import { openDeps } from '../apps/api/src/open.ts';
import { openConnections, type Reserved } from '../apps/api/src/platform/db/connections.ts';
import { connect, openDatabase, type Sql } from '../apps/api/src/platform/db/database.ts';
import { openDesk, ways, type Headers } from './desk.ts';
import { median, startService } from './service.ts';

const AT_ONCE = 16;
/** In a round of each customer: as many as one may have open. */
const CREATES = 5;
/** Many short ones, since the machine's speed changes within seconds. */
const ROUNDS = 15;
const WARM_UP = 5;
const LEAST = 0.8;

type Query = Parameters<Reserved['unsafe']>;
/** Queries that are sent before the first of them is answered. */
type Trip = Query[];
type Customer = Awaited<ReturnType<typeof newCustomer>>;

const service = await startService();
const databaseUrl = service.variables['DATABASE_URL'] ?? '';
const sql = connect(service.databaseUrl, 1);
const desk = openDesk(service, sql);

/** With a payout account of its own: creates to the same one wait for each other. */
async function newCustomer(at: number, admin: Headers) {
  const headers = await desk.signUp(`bench-${at}@example.com`);
  // Without a completed exchange only a part of the reserve could be held.
  await desk.exchange(headers, admin, ways.completed);
  const account = String(at).padStart(18, '0');
  const check = String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0');
  return { headers, iban: `DE${check}${account}`, driver: connect(databaseUrl, 1) };
}

/** Connections that add to `trips` what they send. */
function recordTo(trips: Trip[], sqlOfService: Sql) {
  const connections = openConnections(sqlOfService);
  let trip: Trip | undefined;
  const end = () => void (trip = undefined);
  const reserve = async () => {
    const connection = await connections.reserve();
    const unsafe: Reserved['unsafe'] = (...query) => {
      if (!trip) trips.push((trip = []));
      trip.push(query);
      const answer = connection.unsafe(...query);
      answer.then(end, end);
      return answer;
    };
    return { ...connection, unsafe };
  };
  return { ...connections, reserve };
}

const identifier = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|CX-\w{4}-\w{4}/g;
const identifiersIn = (trips: Trip[]) => new Set(JSON.stringify(trips).match(identifier));
const textsOf = (trips: Trip[]) => JSON.stringify(trips.map((trip) => trip.map(([text]) => text)));

/** A create of each customer, by the service's code in this process, and the identifiers that no other create has. */
async function record(customers: readonly Customer[]) {
  const config = readConfig({ ...service.variables, LOG_LEVEL: 'silent' });
  const { deps, close } = openDeps({ config, databaseUrl });
  const trips: Trip[] = [];
  const db = openDatabase(deps.sql, recordTo(trips, deps.sql));
  const app = await buildApp({ ...deps, db }, features);
  async function recordOne(customer: Customer): Promise<Trip[]> {
    const payload = await desk.order(customer.headers, customer.iban);
    const headers = { ...customer.headers, 'idempotency-key': randomUUID() };
    trips.length = 0;
    const answer = await app.inject({ method: 'POST', url: '/api/exchanges', headers, payload });
    if (answer.statusCode !== 201) throw new Error(answer.body);
    return trips.slice();
  }
  const recordings = [];
  for (const customer of customers) {
    // The very first fills the caches.
    const before = identifiersIn(await recordOne(customer));
    const own = await recordOne(customer);
    const fresh = [...identifiersIn(own).difference(before)];
    recordings.push({ driver: customer.driver, trips: own, fresh });
  }
  await app.close();
  await close();
  if (new Set(recordings.map((each) => textsOf(each.trips))).size !== 1)
    throw new Error('The creates differ in their statements.');
  return recordings;
}

type Recording = Awaited<ReturnType<typeof record>>[number];

/** Sends a recording under new identifiers. */
function renew({ driver, trips, fresh }: Recording) {
  const names = new Map(
    fresh.map((each) => [each, each.startsWith('CX') ? newExchangeNumber() : newId()]),
  );
  /** The parameters that name the event, which gets its number from the database. */
  const causes: unknown[][] = [];
  function rename(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replaceAll(identifier, (each) => names.get(each) ?? each);
    if (Array.isArray(value)) {
      const renamed = value.map(rename);
      if (/^event:\d+$/.test(String(renamed[0]))) causes.push(renamed);
      return renamed;
    }
    // Neither dates, bytes nor numbers of the driver.
    if (value?.constructor !== Object) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)]));
  }
  const renamed = trips.map((trip) =>
    trip.map(([text, values, options]): Query => [text, rename(values) as Query[1], options]),
  );
  return async () => {
    for (const trip of renamed) {
      const answers = await Promise.all(trip.map((query) => driver.unsafe(...query)));
      const event = trip.findIndex(([text]) => text.startsWith('insert into "exchange_events"'));
      if (event >= 0) for (const cause of causes) cause[0] = `event:${answers[event]?.[0]?.['id']}`;
    }
  };
}

/** Each open exchange with its event, posting, email and stored answer; twice where there is one too many. */
const listOpen = () => sql<{ number: string; at: number }[]>`
  select e.number, substring(u.email from '^bench-([0-9]+)@')::integer as at from exchanges e
  join users u on u.id = e.user_id and u.email like 'bench-%'
  join exchange_events v on v.exchange_id = e.id
  join ledger_transactions t on t.exchange_id = e.id and t.cause = 'event:' || v.id
  join emails m on m.user_id = u.id and m.subject like 'Exchange ' || e.number || '%'
  join idempotency_keys k on k.actor = u.id::text and k.body -> 'data' ->> 'number' = e.number
    and k.route = 'POST /api/exchanges'
  where e.state = 'awaiting_payment'
    and (select count(*) from ledger_entries where transaction_id = t.id) = 2`;

/** Cancels what is open, and waits until all emails are sent. */
async function settle(customers: readonly Customer[]): Promise<void> {
  for (const { number, at } of await listOpen()) {
    const path = `/api/exchanges/${number}/cancellation`;
    await desk.post(customers[at]?.headers ?? {}, path, { version: 1 });
  }
  while ((await sql`select from emails where state = 'waiting' limit 1`).length > 0)
    await sleep(50);
}

/** Creates per second, of which each customer does its own in turn. @throws {Error} unless all is written */
async function measure(creates: readonly (readonly (() => Promise<unknown>)[])[]) {
  const began = performance.now();
  await Promise.all(
    creates.map(async (own) => {
      for (const create of own) await create();
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const { length } = await listOpen();
  if (length !== AT_ONCE * CREATES) throw new Error(`${length} exchanges were written in whole.`);
  return length / seconds;
}

const byService = (customers: readonly Customer[]) =>
  Promise.all(
    customers.map(async ({ headers, iban }) => {
      const orders = [];
      for (let at = 0; at < CREATES; at += 1) orders.push(await desk.order(headers, iban));
      return orders.map((order) => () => desk.post(headers, '/api/exchanges', order));
    }),
  );

const customers: Customer[] = [];
try {
  const admin = await desk.operator();
  await sql`update pairs set evidence = 'reference'`;
  for (let at = 0; at < AT_ONCE; at += 1) customers.push(await newCustomer(at, admin));
  const recordings = await record(customers);
  await settle(customers);
  // As on a desk that runs for a while: the queue of jobs is read by its index.
  await sql`analyze`;
  const rates = { service: [] as number[], bare: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const order = ['service', 'bare'] as const;
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const bare = recordings.map((each) => Array.from({ length: CREATES }, () => renew(each)));
      const rate = await measure(side === 'bare' ? bare : await byService(customers));
      if (round >= 0) rates[side].push(rate);
      await settle(customers);
    }
  }
  const ratios = rates.service.map((rate, at) => rate / (rates.bare[at] ?? 0));
  const isWithin = median(ratios) >= LEAST;
  const trips = recordings[0]?.trips ?? [];
  console.log(
    `create, ${trips.flat().length} statements in ${trips.length} round trips, ${AT_ONCE} at once:`,
    `${median(rates.service).toFixed(0)} a second, ${median(rates.bare).toFixed(0)} bare, ${median(ratios).toFixed(2)}`,
    `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    `${isWithin ? 'within' : 'BELOW'} ${LEAST}`,
  );
  if (!isWithin) process.exitCode = 1;
} finally {
  for (const { driver } of customers) await driver.end();
  await sql.end();
  await service.stop();
}
