/** What the console and a customer ask, at their present places: the paths by name, for `bench/growth.ts`. */
import type postgres from 'postgres';
import { writeTimeCursor } from '../apps/api/src/kernel/time-cursor.ts';

type Paths = Record<string, string>;
type Query = postgres.PendingQuery<postgres.Row[]>;

async function valueOf(query: Query): Promise<string> {
  const [row] = await query;
  const [value] = Object.values(row ?? {});
  if (value === undefined || value === null) throw new Error('The bench found no row to ask for.');
  return String(value);
}

/** A place in the middle of three years. */
async function timeCursor(query: postgres.PendingQuery<{ at: Date; id: string }[]>) {
  const [row] = await query;
  if (!row) throw new Error('There is no such place.');
  return writeTimeCursor(row);
}

interface Found {
  readonly number: string;
  readonly email: string;
  readonly name: string;
  readonly account: string;
}

function searchesFor({ number, email, name, account }: Found): Paths {
  const list = '/api/admin/exchanges?queue=all';
  const searches = {
    number,
    'beginning of a number': number.slice(0, 4),
    email,
    'beginning of an address': 'customer-1',
    name,
    'first name': 'Anna',
    account,
    'beginning of an account': account.slice(0, 13),
    'reference of a receipt': `BANK ${number}`,
    'reference of a payment': `PAID-${number}`,
    'beginning of references': 'PAID-',
    amount: '1000.00',
  };
  return {
    ...Object.fromEntries(
      Object.entries(searches).map(([word, text]) => [
        `search: ${word}`,
        `${list}&search=${encodeURIComponent(text)}`,
      ]),
    ),
    'search: first name and state': `${list}&state=completed&search=Anna`,
  };
}

/** Of the desk's list of exchanges. */
export async function deskQuestions(sql: postgres.Sql, merchant: string): Promise<Paths> {
  const list = '/api/admin/exchanges?queue=all';
  const [found] = await sql<(Found & { day: string; until: string })[]>`
    select e.number, u.email, u.name, split_part(e.payout_account_key, ':', 3) as account,
      to_char(now() - interval '2 years', 'YYYY-MM-DD') as day,
      to_char(now() - interval '23 months', 'YYYY-MM-DD') as until
    from exchanges e join users u on u.id = e.user_id
    where e.state = 'completed' and u.email like 'customer-%' order by e.created_at limit 1`;
  if (!found) throw new Error('No exchange has grown.');
  const { number, day, until } = found;
  const operator = await valueOf(sql`select id from users where email = 'operator@example.com'`);
  const deep = await timeCursor(sql`select created_at as at, id from exchanges
    where created_at < now() - interval '18 months' order by created_at desc, id desc limit 1`);
  // Of a day, or with a rare state, there would be fewer than a page among the few: another answer, not more work.
  const days = `from=${day}&to=${until}`;
  const queues = [
    'to_review',
    'mine',
    'to_pay_out',
    'to_refund',
    'unread',
    'on_hold',
    'awaiting_payment',
  ];
  const filters = {
    all: '',
    completed: '&state=completed',
    refunded: '&state=refunded',
    pair: '&pair=usd-to-eur',
    'pair and state': '&pair=usd-to-eur&state=refunded',
    operator: `&operator=${operator}`,
    'operator and state': `&operator=${operator}&state=refunded`,
    none: '&exception=none',
  };
  return {
    ...Object.fromEntries(
      queues.map((queue) => [`exchanges: ${queue}`, `/api/admin/exchanges?queue=${queue}`]),
    ),
    'exchanges: counts': '/api/admin/exchanges/counts',
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([word, filter]) => [
        [`exchanges: ${word}`, `${list}${filter}`],
        [`exchanges: ${word}, deep`, `${list}${filter}&cursor=${deep}`],
      ]),
    ),
    ...Object.fromEntries(
      ['over', 'part', 'late', 'returned'].map((each) => [
        `exchanges: ${each}`,
        `${list}&exception=${each}`,
      ]),
    ),
    'exchanges: month': `${list}&${days}`,
    'exchanges: month and state': `${list}&${days}&state=completed`,
    'exchanges: month and operator': `${list}&${days}&operator=${operator}`,
    ...searchesFor(found),
    exchange: `/api/admin/exchanges/${number}`,
    "merchant's exchange": `/api/admin/exchanges/${await valueOf(sql`select number from exchanges e
      join users u on u.id = e.user_id where email = ${merchant} order by e.created_at limit 1`)}`,
  };
}

/** Of users, audit, ledger and emails. */
export async function consoleQuestions(sql: postgres.Sql, merchant: string): Promise<Paths> {
  const [audit, users, mail] = ['/api/admin/audit?', '/api/admin/users?', '/api/admin/mail?'];
  const entries = '/api/admin/reserves/eur/entries?';
  const user = await valueOf(sql`select id from users where email = 'customer-7@example.com'`);
  const operator = await valueOf(sql`select id from users where email = 'operator@example.com'`);
  const owner = await valueOf(sql`select id from users where email = ${merchant}`);
  const name = await valueOf(sql`select name from users where id = ${user}`);
  // Of a day, the few would have fewer than a page.
  const month =
    await valueOf(sql`select 'from=' || to_char(now() - interval '2 years', 'YYYY-MM-DD')
    || '&to=' || to_char(now() - interval '23 months', 'YYYY-MM-DD')`);
  const half = (table: string) => valueOf(sql`select max(id) / 2 from ${sql(table)}`);
  const halfAudit = await half('audit_events');
  const halfEntries = await half('ledger_entries');
  const halfUsers = await valueOf(sql`select id from users
    where created_at < now() - interval '18 months' order by created_at desc limit 1`);
  const deepMail = await timeCursor(sql`select created_at as at, id from emails
    where created_at < now() - interval '40 days' order by created_at desc, id desc limit 1`);
  return {
    customer: `/api/admin/customers/${user}`,
    'customer: merchant': `/api/admin/customers/${owner}`,
    "customer's exchanges": `/api/admin/customers/${owner}/exchanges`,
    dashboard: '/api/admin/dashboard',
    'dashboard: 90 days': '/api/admin/dashboard?days=90',
    users,
    'users: deep': `${users}cursor=${halfUsers}`,
    'users: admin': `${users}state=admin`,
    'users: disabled': `${users}state=disabled`,
    'users: unverified': `${users}state=unverified`,
    'users: email': `${users}q=customer-7@example.com`,
    'users: name': `${users}q=${encodeURIComponent(name)}`,
    'users: first name': `${users}q=Anna`,
    user: `/api/admin/users/${user}`,
    'user: merchant': `/api/admin/users/${owner}`,
    audit,
    'audit: deep': `${audit}cursor=${halfAudit}`,
    'audit: actor': `${audit}actor_id=${user}`,
    'audit: operator': `${audit}actor_id=${operator}`,
    'audit: month': `${audit}${month}`,
    'audit: month, subject kind': `${audit}${month}&subject_kind=settings`,
    'audit: operator, month': `${audit}${month}&actor_id=${operator}`,
    'audit: subject': `${audit}subject_kind=user&subject_id=${user}`,
    'audit: subject id': `${audit}subject_id=${user}`,
    'audit: subject kind': `${audit}subject_kind=exchange`,
    'audit: rare subject kind': `${audit}subject_kind=settings`,
    'audit: action': `${audit}action=exchange.reject`,
    'audit: action, month': `${audit}action=exchange.approve&${month}`,
    'audit: actions': `${audit}action=exchange.`,
    'audit: actions, deep': `${audit}action=exchange.&cursor=${halfAudit}`,
    'audit: rare actions': `${audit}action=users.`,
    'audit: operator, rare actions': `${audit}actor_id=${operator}&action=users.`,
    reserves: '/api/admin/reserves',
    entries,
    'entries: deep': `${entries}cursor=${halfEntries}`,
    'entries: fees': `${entries}account=fees`,
    'entries: fees, deep': `${entries}account=fees&cursor=${halfEntries}`,
    'entries: adjustments': `${entries}account=adjustments`,
    mail,
    'mail: deep': `${mail}cursor=${deepMail}`,
    'mail: sent': `${mail}state=sent`,
    'mail: failed': `${mail}state=failed`,
    'mail: recipient': `${mail}recipient=customer-7@example.com`,
    'mail: status': '/api/admin/mail/status',
    tasks: '/api/admin/tasks',
  };
}

/** A customer's own, who has very many. */
export async function ownQuestions(sql: postgres.Sql, merchant: string): Promise<Paths> {
  const list = '/api/exchanges?';
  const deep = await timeCursor(sql`select e.created_at as at, e.id
    from exchanges e join users u on u.id = e.user_id
    where u.email = ${merchant} and e.created_at < now() - interval '18 months'
    order by 1 desc, 2 desc limit 1`);
  const year = await valueOf(sql`select 'from=' || to_char(now() - interval '2 years', 'YYYY-MM-DD')
    || '&to=' || to_char(now() - interval '1 year', 'YYYY-MM-DD')`);
  return {
    'own exchanges': list,
    'own exchanges: page 5': `${list}page=5`,
    'own exchanges: deep': `${list}cursor=${deep}`,
    'own exchanges: open': `${list}state=open`,
    'own exchanges: done': `${list}state=done`,
    'own exchanges: year': `${list}${year}`,
  };
}
