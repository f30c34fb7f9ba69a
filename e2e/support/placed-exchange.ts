/** Exchanges of new customers for journeys, led to a state by the acts of people. */
import assert from 'node:assert/strict';
import postgres from 'postgres';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import type { Client, Json } from '../../apps/api/test/client.ts';
import { eventually } from '../../apps/api/test/eventually.ts';
import { done, receive, seen } from '../../apps/api/test/factories/acts.ts';
import * as exchanges from '../../apps/api/test/factories/exchange.ts';
import { acts, type World } from '../../apps/api/test/history-acts.ts';
import { clientOf } from './api.ts';
import { newCustomer, type SharedDesk } from './shared-desk.ts';
import { phone } from './visitor.ts';

/** The acts that lead from a new exchange to each state; the number chooses among receipts or refunds. */
type Step = string | readonly [string, number];
const paid = ['upload_proof', 'submit'] as const;
const claimed = [...paid, 'claim'] as const;
const paths: Readonly<Record<string, readonly Step[]>> = {
  awaiting_payment: [],
  payment_submitted: paid,
  under_review: claimed,
  on_hold: [...claimed, 'ask'],
  approved: [...claimed, 'approve'],
  completed: [...claimed, 'approve', 'complete'],
  cancelled: ['cancel'],
  expired: ['expire'],
  rejected: [...claimed, 'reject'],
  refund_pending: [...claimed, 'record_receipt', 'refund'],
  refunded: [...claimed, 'record_receipt', 'refund', 'pay_refund'],
};

const anotherReceipt = {
  approved: ['record_receipt'],
  completed: ['record_receipt'],
  refunded: ['record_receipt'],
} as const;
const excessPaid = ['record_receipt', 'pay_refund'] as const;
/** What must have happened before an action, beside the state. */
const needs: Readonly<Record<string, Readonly<Record<string, readonly Step[]>>>> = {
  release: { approved: ['claim'] },
  reverse_receipt: {
    ...anotherReceipt,
    awaiting_payment: ['record_receipt'],
    payment_submitted: ['record_receipt'],
    under_review: ['record_receipt'],
    on_hold: ['record_receipt'],
  },
  refund: { under_review: ['record_receipt'], on_hold: ['record_receipt'] },
  pay_refund: anotherReceipt,
  return_refund: {
    approved: excessPaid,
    completed: excessPaid,
    refund_pending: ['pay_refund', 'record_receipt', ['return_refund', 0], ['pay_refund', 1]],
  },
  set_refund_account: anotherReceipt,
  submit: { awaiting_payment: ['upload_proof'] },
};
/** A receipt after the refund of all is reversed before its own refund is paid. */
const otherPaths: Readonly<Record<string, readonly Step[]>> = {
  'reverse_receipt refund_pending': ['cancel', 'record_late_receipt'],
};

/** For exchanges of this desk, whose operator is `admin`. */
export function exchangePlacer(shared: SharedDesk, admin: Client) {
  const { desk } = shared;
  const world = { reference: 0 } as World;

  async function take(client: Client, exchange: Json, step: Step): Promise<Json> {
    const [name, index] = typeof step === 'string' ? ([step, -1] as const) : step;
    if (name === 'expire') return expire(exchange);
    if (name === 'record_receipt')
      return receive(admin, exchange, '100', { another_payment: true });
    const one = acts('100', name === 'record_late_receipt' ? 2 : index, undefined).find(
      (each) => each.name === name,
    );
    assert.ok(one, name);
    await done(one.send(world, exchange, client, admin));
    return seen(admin, exchange);
  }

  async function expire(exchange: Json): Promise<Json> {
    const sql = postgres({ ...connectionOptions(desk.databaseUrl()), max: 1 });
    await sql`
      update exchanges set pay_by = now() - interval '1 second' where number = ${exchange.number}`;
    await sql.end();
    const isExpired = async () => (await seen(admin, exchange)).state === 'expired';
    await eventually('It is expired', isExpired);
    return seen(admin, exchange);
  }

  /** In the state, with what the action needs beside it; on the page nothing is open yet. */
  return async function place(action: string, state: string) {
    const { page } = await newCustomer(shared, 'Ann Example', { viewport: phone });
    const client = clientOf(page.context(), desk);
    const { token } = await exchanges.quote(client);
    const body = { ...exchanges.createBody(token), sender_fields: { sender_name: 'Ann Example' } };
    const made = await done(client.post('/api/exchanges', body, { key: true }));
    let exchange = await seen(admin, made);
    const path = otherPaths[`${action} ${state}`] ?? [
      ...(paths[state] ?? []),
      ...(needs[action]?.[state] ?? []),
    ];
    for (const step of path) exchange = await take(client, exchange, step);
    assert.equal(exchange.state, state);
    return { page, client, exchange };
  };
}
