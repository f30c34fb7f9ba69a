/**
 * Creating and deciding: what each act costs, beside a bare transaction of twenty statements on the same
 * database; then lists, search and dashboard at 10,000 exchanges and at 1,000,000 (or the number that is given).
 * Ends with 1 where an answer takes more than 1.3 times as long.
 *
 *   node_modules/.bin/node bench/exchanges.ts [the larger number]
 */
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { connectionOptions } from '../apps/api/src/platform/db/database-url.ts';
import { median, openSession, sessionOf, startService } from './service.ts';

const PASSWORD = 'a password for the bench';
const FEW = 10_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const MOST = 1.3;
const ACTS = 200;
const WARM_UP = 40;
const ASKED = 60;
const STATEMENTS = 20;

type Json = ReturnType<typeof JSON.parse>;
type Headers = Record<string, string>;

// The copies have no entries in the ledger, which the log would say each hour.
const service = await startService({ LOG_LEVEL: 'silent' });
const sql = postgres({ ...connectionOptions(service.databaseUrl), max: 1, onnotice: () => {} });

async function ask(path: string, headers: Headers, body?: object): Promise<Response> {
  const answer = await fetch(service.origin + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function signUp(email: string): Promise<Headers> {
  const account = { name: 'Bench', email, password: PASSWORD, terms_accepted: true };
  const member = sessionOf(await ask('/api/auth/signup', await openSession(service), account));
  await sql`update users set email_verified_at = now() where email = ${email}`;
  return member;
}

async function operator(): Promise<Headers> {
  const email = 'operator@example.com';
  await signUp(email);
  await sql`update users set role = 'admin',
    permissions = array['desk', 'money', 'content', 'users', 'settings'] where email = ${email}`;
  const person = { email, password: PASSWORD };
  return sessionOf(await ask('/api/auth/signin', await openSession(service), person));
}

const times = new Map<string, number[]>();
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
  return result;
}

async function walk(customer: Headers, admin: Headers, at: number): Promise<void> {
  const post = async (who: Headers, path: string, data: object): Promise<Json> =>
    (await ask(path, { ...who, 'idempotency-key': randomUUID() }, data)).json();
  const wanted = { pair: 'usd-to-eur', side: 'send', amount: '100.00' };
  const quote = await post(customer, '/api/public/quotes', wanted);
  const body = {
    quote_token: quote.data.token,
    sender_fields: { sender_name: 'Bench' },
    payout_fields: { holder: 'Bench', iban: 'DE89370400440532013000' },
    terms_accepted: true,
  };
  let { data: exchange } = await timed('create', () => post(customer, '/api/exchanges', body));
  const own = `/api/exchanges/${exchange.number}`;
  const desk = `/api/admin/exchanges/${exchange.number}`;
  const next = async (name: string, who: Headers, path: string, data: object = {}) => {
    const { version } = exchange;
    ({ data: exchange } = await timed(name, () => post(who, path, { version, ...data })));
  };
  await next('submit', customer, `${own}/submission`, { payment_reference: `PAID-${at}` });
  await next('claim', admin, `${desk}/claim`);
  await next('approve', admin, `${desk}/approval`, {
    received_amount: '100.00',
    reference: `BANK-${at}`,
  });
  await next('complete', admin, `${desk}/completion`, { payout_reference: `OUT-${at}` });
}

/** What the database and the driver need at least for a transaction of so many statements. */
async function bare(): Promise<void> {
  await sql.begin(async (tx) => {
    for (let at = 0; at < STATEMENTS - 1; at += 1)
      await tx`select * from currencies where slug = ${'usd'}`;
    await tx`insert into bench_rows (word) values (${'word'})`;
  });
}

async function measureActs(admin: Headers): Promise<void> {
  await sql`update pairs set evidence = 'reference'`;
  await sql`create table bench_rows (word text not null)`;
  const customers = await Promise.all([1, 2, 3, 4].map((at) => signUp(`bench-${at}@example.com`)));
  for (let at = 0; at < ACTS + WARM_UP; at += 1) {
    if (at === WARM_UP) times.clear();
    await walk(customers[at % customers.length] ?? {}, admin, at);
    await timed('bare', bare);
  }
  const least = median(times.get('bare') ?? []);
  console.log(`a bare transaction of ${STATEMENTS} statements: ${least.toFixed(2)} ms`);
  for (const name of ['create', 'submit', 'claim', 'approve', 'complete']) {
    const own = median(times.get(name) ?? []);
    console.log(
      `${name.padEnd(10)} ${own.toFixed(2).padStart(6)} ms, ${(own / least).toFixed(2)} bare transactions`,
    );
  }
}

/**
 * Copies of the bench's exchanges by SQL, over three years and many customers: nine of ten completed, the
 * open ones as many as before. Ledger, events and emails do not grow.
 */
async function growTo(total: number): Promise<void> {
  for (const table of ['users', 'exchanges', 'exchange_receipts'])
    await sql`alter table ${sql(table)} disable trigger user`;
  const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
    select count(*)::int as count from exchanges`;
  await sql`
    insert into users (id, name, email, email_verified_at, created_at)
    select gen_random_uuid(), 'Customer ' || n, 'customer-' || n || '@example.com', now(),
      now() - random() * interval '3 years'
    from generate_series(${count}::int / 20 + 1, ${total}::int / 20) n`;
  await sql`
    with model as (
      select e.*, row_number() over (order by e.number) - 1 as place
      from exchanges e where state = 'completed' and number in (
        select number from exchanges where state = 'completed' order by number limit 50)),
    people as (
      select id as user_id, row_number() over () - 1 as place
      from users where email like 'customer-%'),
    made as (
      select gen_random_uuid() as id, gen_random_uuid() as quote_id, n,
        now() - random() * interval '3 years' as created_at, random() as fate
      from generate_series(${count}::int + 1, ${total}::int) n)
    insert into exchanges
    select copy.*
    from made join model on model.place = n % (select count(*) from model)
      join people on people.place = n % (select count(*) from people),
      jsonb_populate_record(null::exchanges, to_jsonb(model) || jsonb_build_object(
        'id', made.id, 'quote_id', made.quote_id,
        'number', regexp_replace(upper(lpad(to_hex(n), 8, '0')), '(....)(....)', 'CX-\\1-\\2'),
        'user_id', people.user_id,
        'state', case when fate < 0.9 then 'completed' when fate < 0.94 then 'cancelled'
          when fate < 0.97 then 'expired' when fate < 0.99 then 'rejected' else 'refunded' end,
        'send_minor', 1000 + floor(fate * 900000), 'payment_reference', 'PAID-' || n,
        'payout_account_key', 'account:iban:DE' || n,
        'created_at', made.created_at, 'submitted_at', made.created_at + interval '20 minutes',
        'approved_at', made.created_at + interval '1 hour',
        'completed_at', made.created_at + interval '2 hours',
        'state_changed_at', made.created_at + interval '2 hours')) as copy`;
  await sql`
    insert into exchange_receipts (id, exchange_id, currency_id, amount_minor, booked_on, reference,
      another_payment, recorded_by, at)
    select gen_random_uuid(), id, send_currency_id, send_minor, approved_at, 'BANK ' || number, false,
      user_id, approved_at
    from exchanges e where state = 'completed'
      and not exists (select from exchange_receipts r where r.exchange_id = e.id)`;
  for (const table of ['users', 'exchanges', 'exchange_receipts'])
    await sql`alter table ${sql(table)} enable trigger user`;
  await sql`vacuum analyze`;
}

/** Of each path, relative to a reading that does not grow: the machine's speed changes within minutes. */
async function readTimes(paths: readonly string[], headers: Headers) {
  const timesOf = async (path: string) => {
    const began = performance.now();
    await (await ask(path, headers)).arrayBuffer();
    return performance.now() - began;
  };
  const all: { ms: number; share: number }[] = [];
  for (const path of paths) {
    const own: number[] = [];
    const reference: number[] = [];
    for (let at = 0; at < ASKED + 10; at += 1) {
      const [one, other] = [await timesOf(path), await timesOf('/api/user')];
      if (at < 10) continue;
      own.push(one);
      reference.push(other);
    }
    all.push({ ms: median(own), share: median(own) / median(reference) });
  }
  return all;
}

async function pathsFor(): Promise<string[]> {
  const [{ number = '', email = '' } = {}] = await sql<{ number: string; email: string }[]>`
    select e.number, u.email from exchanges e join users u on u.id = e.user_id
    where e.state = 'completed' and u.email like 'customer-%' limit 1`;
  const list = '/api/admin/exchanges?';
  return [
    `${list}queue=to_review`,
    `${list}queue=to_pay_out`,
    `${list}queue=to_refund`,
    `${list}queue=all`,
    `${list}queue=all&state=completed`,
    `${list}queue=all&exception=over`,
    `${list}queue=all&pair=usd-to-eur&state=refunded`,
    `${list}queue=all&search=${number}`,
    `${list}queue=all&search=${encodeURIComponent(email)}`,
    `${list}queue=all&search=BANK%20${number}`,
    `/api/admin/exchanges/${number}`,
    '/api/admin/dashboard',
    '/api/admin/dashboard?days=90',
    '/api/admin/users',
  ];
}

let isSlow = false;
try {
  const admin = await operator();
  await measureActs(admin);
  await growTo(FEW);
  const paths = await pathsFor();
  const few = await readTimes(paths, admin);
  const began = performance.now();
  await growTo(MANY);
  console.log(
    `${MANY.toLocaleString('en')} exchanges in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  const many = await readTimes(paths, admin);
  for (const [at, path] of paths.entries()) {
    const [one, other] = [few[at], many[at]];
    if (!one || !other) throw new Error(`${path} was not measured.`);
    const ratio = other.share / one.share;
    const verdict = ratio <= MOST ? 'within' : 'ABOVE';
    isSlow ||= !(ratio <= MOST);
    console.log(
      `${path.padEnd(64)} ${one.ms.toFixed(1).padStart(6)} ms ${other.ms.toFixed(1).padStart(6)} ms  ${ratio.toFixed(2)} (${verdict} ${MOST})`,
    );
  }
} finally {
  await sql.end();
  await service.stop();
}
if (isSlow) process.exitCode = 1;
