/** The database pool. Transactions have a type of their own, so that the compiler demands one where it is needed. */
import { CompiledQuery, Kysely, PostgresDialect, PostgresQueryCompiler, Transaction } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';
import postgres from 'postgres';
import { parse as parseArray } from 'postgres-array';
import { openConnections, type Connections, type Reserved } from './connections.ts';
import { deadlineFor } from './database-client.ts';
import { connectionOptions } from './database-url.ts';
import type { Tables } from './tables.generated.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type Sql = ReturnType<typeof connect>;

const LOCK_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_SECONDS = 5;
/** Serialization failure, deadlock, lock not available: the transaction can be retried. */
const RETRIABLE = new Set(['40001', '40P01', '55P03']);
const MAX_ATTEMPTS = 3;

/**
 * Opens the driver's pool; it connects with the first query. The URL can override the time limits:
 * `statement_timeout` and the other two in milliseconds, `connect_timeout` in seconds.
 * @throws {TypeError} for a `statement_timeout` that is not above zero
 */
export function connect(databaseUrl: string, poolSize = 10) {
  const options = connectionOptions(databaseUrl);
  const connection = {
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    ...options.connection,
  };
  // Our own deadline depends on it.
  if (!(Number(connection.statement_timeout) > 0))
    throw new TypeError('The statement_timeout of a database URL is in milliseconds, above zero.');
  return postgres({
    ...options,
    connect_timeout: options.connect_timeout ?? CONNECT_TIMEOUT_SECONDS,
    max: poolSize,
    // Reconnect soon after a restart of the server, above all the listener.
    backoff: (retries: number) => Math.min(0.1 * 2 ** retries, 2) * (0.5 + Math.random() / 2),
    onnotice: () => undefined,
    connection,
    // The driver would ask each new connection for them, and a connection that breaks at this very moment would end
    // the process: nothing handles that rejection.
    fetch_types: false,
    types: {
      ...arrayTypes,
      numeric: { to: 1700, from: [1700], serialize: String, parse: parseNumeric },
      int8: { to: 20, from: [20], serialize: String, parse: parseCount },
      date: { to: 1082, from: [1082], serialize: String, parse: String },
    },
  });
}

/** By the numbers of `pg_type`: the array, and how one element is read. */
const ARRAYS: readonly (readonly [number, (text: string) => unknown])[] = [
  [1000, (text) => text === 't'], // boolean
  [1001, (text) => Buffer.from(text.slice(2), 'hex')], // bytea
  [1007, Number], // integer
  [1016, parseCount], // bigint
  [1009, String], // text
  [1015, String], // character varying
  [1182, String], // date
  [1185, (text) => new Date(text)], // timestamp with time zone
  [1231, parseNumeric], // numeric
  [2951, String], // uuid
];

const arrayTypes = Object.fromEntries(
  ARRAYS.map(([type, element]) => [
    `array${type}`,
    {
      to: type,
      from: [type],
      serialize: writeArray,
      parse: (text: string) => parseArray(text, element),
    },
  ]),
);

function writeArray(elements: readonly unknown[]): string {
  const written = elements.map((each) => {
    if (each === null || each === undefined) return 'NULL';
    const text = each instanceof Date ? each.toISOString() : String(each);
    return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${written.join(',')}}`;
}

/** Closing either, `sql` or the database, closes both. */
export function openDatabase(sql: Sql, connections: Connections = openConnections(sql)): Db {
  const endOwn = sql.end.bind(sql);
  sql.end = async ({ timeout = 5 } = {}) => {
    await Promise.all([connections.end({ timeout }), endOwn({ timeout })]);
  };
  return new Kysely<Tables>({ dialect: new ExactDialect(sql, connections) });
}

const NUMERIC = 1700;

class ExactDialect extends PostgresJSDialect {
  readonly #postgres: Sql;

  constructor(sql: Sql, { reserve }: Connections) {
    // The dialect uses nothing else of its client.
    const client = { reserve: withDeadlines(reserve), end: sql.end, options: sql.options };
    super({ postgres: async () => client as unknown as Sql });
    this.#postgres = sql;
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new ExactCompiler(this.#postgres);
  }
}

/**
 * Sends a `bigint` as `numeric`. The driver would send an int8, which ends at 9.2 × 10^18: nine units of a
 * currency with 18 decimals.
 */
class ExactCompiler extends PostgresQueryCompiler {
  readonly #postgres: Sql;

  constructor(sql: Sql) {
    super();
    this.#postgres = sql;
  }

  protected override appendValue(value: unknown): void {
    super.appendValue(
      typeof value === 'bigint' ? this.#postgres.typed(String(value), NUMERIC) : value,
    );
  }
}

const SET_STATEMENT_TIMEOUT = `select set_config('statement_timeout', $1, true)`;

/** Allows each further statement of this transaction so much time, on the server and in our deadline. */
export async function allowStatements(tx: Tx, timeoutMs: number): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(SET_STATEMENT_TIMEOUT, [String(timeoutMs)]));
}

/** Kysely hides the connection of a transaction, so the statement itself sets the deadline. */
function withDeadlines(reserve: Connections['reserve']): Connections['reserve'] {
  return async () => {
    const connection = await reserve();
    const unsafe: Reserved['unsafe'] = (text, parameters, options) => {
      if (text === SET_STATEMENT_TIMEOUT)
        connection.answerWithin(deadlineFor(Number(parameters?.[0])));
      return connection.unsafe(text, parameters, options);
    };
    return { ...connection, unsafe };
  };
}

/**
 * Runs `work` in one transaction (READ COMMITTED), at most three times in case of deadlocks and the like. No
 * HTTP, hashing or files inside. Inside another transaction it becomes part of that one.
 */
export function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transactionWithLast(db, work, async (_tx, done) => done);
}

/**
 * `transaction` whose last statement, made of the result of `work`, shares the round trip of the commit. `last` sends
 * one statement before anything that can fail or that it awaits: what fails earlier does not keep the commit from
 * being sent. If the statement fails nothing is committed.
 */
export async function transactionWithLast<T, R>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  last: (tx: Tx, done: T) => Promise<R>,
): Promise<R> {
  if (db.isTransaction) return last(db as Tx, await work(db as Tx));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await execute(db, 'begin', work, last);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRIABLE.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20 * (1 + Math.random())));
    }
  }
}

/** What waits for the commit, of transactions that allow it. */
const awaitingCommit = new WeakMap<Tx, (() => Promise<unknown>)[]>();

/** From now on `withCommit` waits. The caller does nothing more in `tx` itself than what is last. */
export function allowWithCommit(tx: Tx): void {
  awaitingCommit.set(tx, []);
}

/**
 * Sends one statement in the round trip of the commit where the transaction allows it, so that a row which many need
 * is locked for that trip alone; else at once. `send` sends it before anything that can fail or that it awaits: an error
 * of the database fails the transaction, an earlier one would not keep the commit from being sent.
 */
export async function withCommit(tx: Tx, send: () => Promise<unknown>): Promise<void> {
  const waiting = awaitingCommit.get(tx);
  if (waiting === undefined) await send();
  else waiting.push(send);
}

/** A read-only transaction in which all reads are as of one moment. */
export function snapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const begin = 'begin isolation level repeatable read read only';
  return execute(db, begin, work, async (_tx, done) => done);
}

/** A transaction has its connection already. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('There is no pool.')) });
const driver = dialect.createDriver();

const ABORTED = '25P02';

/**
 * Statements that are started together share a round trip, the first of them also with `begin`; Kysely alone would
 * await each before the next. After a failure the server refuses the statements behind it; they fail with its
 * cause, which may be retriable.
 */
function execute<T, R>(
  db: Db,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  last: (tx: Tx, done: T) => Promise<R>,
): Promise<R> {
  const pooled = db.getExecutor();
  return pooled.provideConnection(async (connection) => {
    const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text));
    let isOver = false;
    let cause: unknown;
    const executor = pooled.withConnectionProvider({
      async provideConnection(use) {
        if (isOver) throw new Error('The transaction is over.');
        return use(connection).catch((error: unknown) => {
          if (sqlState(error) !== ABORTED) cause = error;
          throw cause ?? error;
        });
      },
    });
    const tx = new Transaction<Tables>({ config: { dialect }, dialect, driver, executor });
    try {
      const begun = run(begin);
      const [done] = await Promise.all([work(tx), begun]);
      const sent = awaitingCommit.get(tx)?.map((send) => send()) ?? [];
      const ending = last(tx, done);
      isOver = true;
      // What failed first comes first; the others failed with it.
      const outcomes = await Promise.allSettled([...sent, ending, run('commit')]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      return await ending;
    } catch (error) {
      isOver = true;
      // A connection that fails is not lent again.
      await run('rollback').catch(() => undefined);
      throw error;
    }
  });
}

/** The SQLSTATE of a database error, or an empty text for anything else. */
export function sqlState(error: unknown): string {
  return error instanceof postgres.PostgresError ? error.code : '';
}

/** The name of the constraint that refused a write, or an empty text. */
export function violatedConstraint(error: unknown): string {
  return error instanceof postgres.PostgresError ? (error.constraint_name ?? '') : '';
}

/** The detail of a database error, or an empty text. Not to be shown to callers. */
export function errorDetail(error: unknown): string {
  return error instanceof postgres.PostgresError ? (error.detail ?? '') : '';
}

/** Whole numbers are minor units and become `bigint`; rates keep their decimals as text. */
function parseNumeric(text: string): bigint | string {
  return text.includes('.') || text === 'NaN' ? text : BigInt(text);
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count)) throw new RangeError(`${text} is too large for a count.`);
  return count;
}
