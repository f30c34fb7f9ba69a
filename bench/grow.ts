/**
 * Growth by SQL: copies of exchanges that went through the API, with everything that was written about them,
 * over three years. Amounts are multiples of the model's and the ledger's balances are carried on from entry to
 * entry, so that the grown desk reconciles as the real one does.
 */
import type postgres from 'postgres';

/** Sorted in memory. */
const CHUNK = 200_000;
const EXCHANGES_OF_A_CUSTOMER = 20;
/** As everywhere, some customer has very many: this part of all, and more than are ever counted. */
const MERCHANT = 0.01;
const MERCHANT_LEAST = 1500;

/** What is written about an exchange. */
const written = [
  ...['receipts', 'payouts', 'refunds', 'approvals', 'operators', 'events'].map(
    (records) => `exchange_${records}`,
  ),
  'ledger_transactions',
];
/** What grows. */
const tables = ['users', 'exchanges', ...written, 'ledger_entries', 'audit_events', 'emails'];

/** What is copied row by row, and the rows of the models. */
const copied = [
  { table: 'exchanges', of: 't.id in (select id from models)' },
  ...written.map((table) => ({ table, of: 't.exchange_id in (select id from models)' })),
  {
    table: 'audit_events',
    of: "t.subject_kind = 'exchange' and t.subject_id in (select number from models)",
  },
];

export interface Growth {
  /** How many. */
  readonly size: number;
  /** The numbers of the exchanges to copy: one that is named twice is copied twice as often. */
  readonly models: readonly string[];
  /** Models that are copied without what was written about them. It has to add up to nothing. */
  readonly bare: readonly string[];
  /** The address of the customer who has very many. */
  readonly merchant: string;
}

/** `sql` is of the superuser: no trigger and no foreign key is checked, and indexes are made again at the end. */
export async function grow(sql: postgres.Sql, growth: Growth): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`set local work_mem = '512MB'`;
    await tx`set local maintenance_work_mem = '1GB'`;
    // A copy's random numbers are the same in each run.
    await tx`select setseed(0.5)`;
    const indexes = await tx<{ name: string; definition: string }[]>`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i where i.indrelid = any(${[...tables]}::regclass[])
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;
    for (const { name } of indexes) await tx.unsafe(`drop index ${name}`);
    await prepare(tx, growth);
    for (let from = 0; from < growth.size; from += CHUNK)
      await copyChunk(tx, from, Math.min(from + CHUNK, growth.size), growth);
    for (const { definition } of indexes) await tx.unsafe(definition);
    await tx`drop table models, copies, model_lines`;
    for (const { table } of copied) await tx.unsafe(`drop table model_${table}`);
  });
  await sql`vacuum analyze`;
}

/** The new customers, the models, and a reserve that the payouts of all copies can come from. */
async function prepare(tx: postgres.TransactionSql, { size, models }: Growth): Promise<void> {
  await tx`
    insert into users (id, name, email, email_verified_at, created_at)
    select uuidv7(made.at - now()), (array['Anna', 'Bela', 'Chidi', 'Dmitri', 'Elena', 'Farid', 'Greta',
        'Hana', 'Ivo', 'Jun', 'Kofi', 'Lena', 'Mila', 'Noor', 'Omar', 'Petra', 'Quinn', 'Rosa', 'Sami',
        'Tove'])[1 + n % 20] || ' '
        || initcap(translate(reverse(to_hex(n + 4096)), '0123456789abcdef', 'aeiouybdklmnprst')),
      'customer-' || n || '@example.com', made.at, made.at
    from generate_series(1, ${size}::int / ${EXCHANGES_OF_A_CUSTOMER}::int) n,
      lateral (select now() - interval '3 years' * (1 - ${EXCHANGES_OF_A_CUSTOMER}::float8 * n / ${size}) as at) made`;
  await tx`create temp table models as
    select place, e.id, e.number, e.user_id, e.created_at
    from unnest(${[...models]}::text[]) with ordinality as m (number, place) join exchanges e using (number)`;
  await tx`create temp table copies (n int, model uuid, model_number text, id uuid, number text, user_id uuid,
    email text, factor int, shift interval, at timestamptz)`;
  // Once, since each of these tables is about to be long and without indexes.
  for (const { table, of } of copied)
    await tx.unsafe(`create temp table model_${table} as select t.* from ${table} t where ${of}`);
  // A copy's transaction has the copy's id with the place of the model's at its end: known to its entries.
  await tx`create temp table model_lines as
    select t.exchange_id as model, e.*,
      dense_rank() over (partition by t.exchange_id order by t.id) as place,
      row_number() over (partition by t.exchange_id order by e.id) as line
    from model_ledger_transactions t join ledger_entries e on e.transaction_id = t.id`;
  const [{ id: deposit = '' } = {}] = await tx<{ id: string }[]>`
    insert into ledger_transactions (id, kind, reason) values (uuidv7(), 'adjustment', 'For the copies')
    returning id`;
  await tx`
    with moved as (
      update ledger_accounts set balance = balance
        + case kind when 'available' then 1 else -1 end * 1e15
      where kind in ('available', 'adjustments') returning *)
    insert into ledger_entries (id, transaction_id, account_id, currency_id, amount, balance_after)
    select nextval('ledger_entry_numbers'), ${deposit}, id, currency_id,
      case kind when 'available' then 1 else -1 end * 1e15, balance
    from moved`;
}

async function copyChunk(
  tx: postgres.TransactionSql,
  from: number,
  to: number,
  growth: Growth,
): Promise<void> {
  await tx`truncate copies`;
  await tx`
    insert into copies
    select n, m.id, m.number, uuidv7(made.at - now()),
      -- Random to the eye, and each number once.
      regexp_replace(upper(lpad(to_hex(n * 2654435761 % 4294967296), 8, '0')), '(....)(....)', 'CX-\\1-\\2'),
      u.id, u.email, 1 + (random() * 50)::int, made.at - m.created_at, made.at
    from (
      select n::bigint, 1 + floor(random() * ${growth.models.length}) as place,
        case when random() < ${Math.max(MERCHANT, MERCHANT_LEAST / growth.size)} then ${growth.merchant}
          else 'customer-' || 1 + floor(random() * (${growth.size}::int / ${EXCHANGES_OF_A_CUSTOMER}::int))::int
            || '@example.com' end as email,
        now() - interval '3 years' * (1 - n::float8 / ${growth.size}::int) - interval '1 day' as at
      from generate_series(${from}::int + 1, ${to}::int) n) made
    join models m using (place) join users u on u.email = made.email
    order by n`;
  await tx`analyze copies`;
  const one = 'join copies c on c.model = t.exchange_id';
  const record = { id: 'uuidv7(c.at - now())', exchange_id: 'c.id' };
  await copy(tx, 'exchanges', 'join copies c on c.model = t.id', {
    id: 'c.id',
    quote_id: 'uuidv7(c.at - now())',
    number: 'c.number',
    user_id: 'c.user_id',
    payment_reference: `'PAID-' || c.number`,
    payout_account_key: `'account:iban:DE' || right('00000000000000000000' || hashtext(c.email)::bigint + 2147483648, 20)`,
  });
  // Of each, since the list of everybody's acts is long everywhere.
  await tx`insert into audit_events (at, actor_kind, actor_id, action, subject_kind, subject_id, ip)
    select at, 'user', user_id, 'auth.signin', 'user', user_id::text, '127.0.0.1' from copies order by n`;
  await tx`delete from copies where model_number = any(${[...growth.bare]}::text[])`;
  await copy(tx, 'exchange_receipts', one, { ...record, reference: `'BANK ' || c.number` });
  await copy(tx, 'exchange_payouts', one, { ...record, reference: `'OUT-' || c.number` });
  await copy(tx, 'exchange_refunds', one, {
    ...record,
    reference: `'BACK-' || c.number`,
    account: `'DE99 ' || c.number`,
  });
  await copy(tx, 'exchange_approvals', one, record);
  await copy(tx, 'exchange_operators', one, { exchange_id: 'c.id' });
  await copy(tx, 'exchange_events', one, {
    exchange_id: 'c.id',
    actor_id: `case t.actor_kind when 'customer' then c.user_id else t.actor_id end`,
  });
  await copyLedger(tx);
  await copy(tx, 'audit_events', 'join copies c on c.model_number = t.subject_id', {
    subject_id: 'c.number',
  });
  await tx`insert into emails
      (id, kind, recipient, user_id, locale, subject, data, message_id, state, attempts, sent_at, created_at)
    select uuidv7(c.at - now()), t.kind, c.email, c.user_id, t.locale, t.subject, t.data,
      t.kind || c.id || '@example.com', 'sent', 1, c.at + interval '3 seconds', c.at
    from copies c, (select distinct on (kind) * from emails where kind like 'exchange-%'
      order by kind limit 4) t
    -- Older ones are deleted.
    where c.at > now() - interval '89 days' order by c.n`;
}

/** The entries of each account add up in the order of the copies, from its balance on. */
async function copyLedger(tx: postgres.TransactionSql): Promise<void> {
  const ofCopy = `overlay(c.id::text placing to_hex(p.place) from 36)::uuid`;
  await copy(
    tx,
    'ledger_transactions',
    `join copies c on c.model = t.exchange_id
      join (select distinct transaction_id, place from model_lines) p on p.transaction_id = t.id`,
    {
      id: ofCopy,
      exchange_id: 'c.id',
      exchange_number: 'c.number',
      cause: `split_part(t.cause, ':', 1) || ':' || c.id`,
      reference: `split_part(t.reference, t.exchange_number, 1) || c.number`,
    },
  );
  await tx.unsafe(`
    insert into ledger_entries (id, transaction_id, account_id, currency_id, amount, balance_after)
    select s.last + row_number() over (order by c.n, p.line), ${ofCopy}, p.account_id, p.currency_id,
      p.amount * c.factor,
      a.balance + sum(p.amount * c.factor) over (partition by p.account_id order by c.n, p.line)
    from copies c join model_lines p on p.model = c.model join ledger_accounts a on a.id = p.account_id,
      (select max(id) as last from ledger_entries) s
    order by c.n, p.line`);
  await tx`select setval('ledger_entry_numbers', (select max(id) from ledger_entries))`;
  await tx`update ledger_accounts a set balance = a.balance + moved.amount from (
      select p.account_id, sum(p.amount * c.factor) as amount
      from copies c join model_lines p on p.model = c.model group by 1) moved
    where moved.account_id = a.id`;
}

/**
 * The models' rows `t` of a table once for each copy `c`: times are moved, amounts multiplied, and `changes` are
 * what a column is instead. In the order in which they were written, since the database numbers some of them.
 */
async function copy(
  tx: postgres.TransactionSql,
  table: string,
  joins: string,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await tx<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_identity = 'NO'`;
  const valueOf = ({ name, type }: { name: string; type: string }) => {
    if (changes[name] !== undefined) return changes[name];
    if (type === 'date') return `(t.${name} + c.shift)::date`;
    if (type === 'timestamp with time zone') return `t.${name} + c.shift`;
    return /_minor$|^reporting_value$/.test(name) ? `t.${name} * c.factor` : `t.${name}`;
  };
  await tx.unsafe(`insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${columns.map(valueOf).join(', ')} from model_${table} t ${joins} order by c.n, t.ctid`);
}

/** The rows of each table with its indexes' bytes, and the bytes of the database. */
export async function sizes(sql: postgres.Sql) {
  const counts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await sql<{ rows: number; bytes: number }[]>`
        select (select count(*) from ${sql(table)})::float8 as rows,
          pg_total_relation_size(${table}::regclass)::float8 as bytes`;
      return { table, rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 };
    }),
  );
  const [whole] = await sql<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  return { counts, bytes: whole?.bytes ?? 0 };
}
