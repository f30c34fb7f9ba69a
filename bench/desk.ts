/** A desk at work, as the benches of exchanges ask it: its people, and exchanges by their acts. */
import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import { openSession, send, sessionOf, type Service } from './service.ts';

const PASSWORD = 'a password for the bench';

type Json = ReturnType<typeof JSON.parse>;
export type Headers = Record<string, string>;
type Act = 'submit' | 'cancel' | 'claim' | 'reject' | 'receive' | 'refund' | 'approve' | 'complete';

const completed = ['submit', 'claim', 'approve', 'complete'] as const;
/** The ways of an exchange to its end. */
export const ways = {
  completed,
  cancelled: ['cancel'],
  rejected: ['submit', 'claim', 'reject'],
  refunded: ['submit', 'claim', 'receive', 'refund'],
} as const satisfies Record<string, readonly Act[]>;

/** Who does it, where, and with what beside the version. */
function requestsOf(number: string): Record<Act, readonly ['customer' | 'admin', string, object]> {
  const own = `/api/exchanges/${number}`;
  const desk = `/api/admin/exchanges/${number}`;
  const reference = `BANK ${number}`;
  return {
    submit: ['customer', `${own}/submission`, { payment_reference: `PAID-${number}` }],
    cancel: ['customer', `${own}/cancellation`, {}],
    claim: ['admin', `${desk}/claim`, {}],
    reject: ['admin', `${desk}/rejection`, { reason: 'No payment came.' }],
    receive: ['admin', `${desk}/receipts`, { amount: '100.00', reference }],
    refund: ['admin', `${desk}/refunds`, { reason: 'Refused.', account: `DE99 ${number}` }],
    approve: ['admin', `${desk}/approval`, { received_amount: '100.00', reference }],
    complete: ['admin', `${desk}/completion`, { payout_reference: `OUT-${number}` }],
  };
}

/** `sql` is of the tables' owner. */
export function openDesk(service: Service, sql: postgres.Sql) {
  const { ask, signUp, operator } = openPeople(service, sql);
  const times = new Map<string, number[]>();

  async function post(who: Headers, path: string, data: object): Promise<Json> {
    const headers = { ...who, 'idempotency-key': randomUUID() };
    const { body } = await send(service.origin + path, headers, JSON.stringify(data));
    return JSON.parse(body.toString());
  }

  async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
    return result;
  }

  /** With a quote of its own. */
  async function order(customer: Headers, iban = 'DE89370400440532013000') {
    const wanted = { pair: 'usd-to-eur', side: 'send', amount: '100.00' };
    const quote = await post(customer, '/api/public/quotes', wanted);
    return {
      quote_token: quote.data.token,
      sender_fields: { sender_name: 'Bench' },
      payout_fields: { holder: 'Bench', iban },
      terms_accepted: true,
    };
  }

  /** One exchange from its creation through these acts, each timed by its name; answers its number. */
  async function exchange(
    customer: Headers,
    admin: Headers,
    acts: readonly Act[],
  ): Promise<string> {
    const body = await order(customer);
    let { data: row } = await timed('create', () => post(customer, '/api/exchanges', body));
    const { number } = row;
    const bodies = requestsOf(number);
    for (const act of acts) {
      const [who, path, data] = bodies[act];
      const sent = { version: row.version, ...data };
      ({ data: row } = await timed(act, () =>
        post(who === 'admin' ? admin : customer, path, sent),
      ));
    }
    for (const { id } of acts.includes('refund') ? row.refunds : []) {
      const paid = { version: row.version, reference: `BACK-${number}` };
      ({ data: row } = await post(
        admin,
        `/api/admin/exchanges/${number}/refunds/${id}/payment`,
        paid,
      ));
    }
    return number;
  }

  return { ask, post, signUp, operator, order, exchange, timed, times };
}

function openPeople(service: Service, sql: postgres.Sql) {
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

  return { ask, signUp, operator };
}
