/**
 * The demo desk's past: about sixty exchanges, made by the same functions that
 * make them every day, each at its own moment, so that events, ledger and
 * balances are real. Steps of all exchanges run in the order of their times.
 */
import { randomBytes } from 'node:crypto';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { approve } from '#features/exchanges/actions/approve.ts';
import { cancel } from '#features/exchanges/actions/cancel.ts';
import { claim } from '#features/exchanges/actions/claim.ts';
import { complete } from '#features/exchanges/actions/complete.ts';
import { create } from '#features/exchanges/actions/create.ts';
import { endUnpaid } from '#features/exchanges/actions/end-unpaid.ts';
import { reject } from '#features/exchanges/actions/reject.ts';
import { submit } from '#features/exchanges/actions/submit.ts';
import type { Operator, Seen } from '#features/exchanges/actions/transition.ts';
import { attachProof } from '#features/exchanges/actions/upload-proof.ts';
import { openContext, type ExchangeContext } from '#features/exchanges/context.ts';
import { quote } from '#features/exchanges/quotes/quotes.ts';
import * as pairs from '#features/pairs/pairs.ts';
import * as proofs from '#features/proofs/proofs.ts';
import type { FieldJson } from '#platform/db/json-columns.ts';
import { readJson } from './files.ts';
import { drawReceipt } from './receipts.ts';

type Fate =
  | 'completed'
  | 'approved'
  | 'to_review'
  | 'claimed'
  | 'awaiting_payment'
  | 'cancelled'
  | 'expired'
  | 'rejected';

interface PastExchange {
  readonly hoursAgo: number;
  /** The place among the customers. */
  readonly customer: number;
  readonly pair: string;
  /** Sent, in major units. */
  readonly amount: string;
  readonly fate: Fate;
  /** Uploads the file of this earlier exchange of somebody else's, by its place in the list. */
  readonly sameFileAs?: number;
}

export interface DemoPeople {
  readonly adminId: Id;
  /** Who decided most of the past exchanges; the admin when there is nobody else. */
  readonly operatorId?: Id;
  /** Those who came first, first. */
  readonly customers: readonly DemoCustomer[];
}

interface DemoCustomer {
  readonly id: Id;
  readonly name: string;
  readonly createdAt: Date;
}

interface Step {
  readonly at: Date;
  readonly run: (tx: Tx, context: ExchangeContext) => Promise<void>;
}

/** One exchange on its way; the number and version are known once it is created. */
interface Course {
  readonly plan: PastExchange;
  readonly place: number;
  readonly customer: Actor;
  readonly operator: Operator;
  readonly receipts: Map<number, Promise<Buffer>>;
  readonly deps: Deps;
  seen: Seen;
}

export async function seedExchanges(
  deps: Deps,
  people: DemoPeople,
): Promise<{ exchanges: number }> {
  const operator = operatorOf(people.operatorId ?? people.adminId);
  const receipts = new Map<number, Promise<Buffer>>();
  const now = deps.clock().getTime();
  const pastExchanges = readJson<PastExchange[]>('exchanges.json');
  const steps = pastExchanges.flatMap((plan, place) => {
    const start = new Date(now - Math.round(plan.hoursAgo * HOUR));
    const { id, name } = customerAt(people.customers, plan.customer, start);
    const customer: Actor = { id, name, role: 'user', permissions: [] };
    const seen = { number: '', version: 0 };
    const course: Course = { plan, place, customer, operator, receipts, deps, seen };
    return stepsOf(course, start);
  });
  // A seed has no session that could confirm a large approval.
  const context = {
    ...(await openContext(deps)),
    freshApprovalAbove: [],
    withoutEmails: true as const,
  };
  for (const { at, run } of steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const then = { ...context, readTime: async () => at };
    await transaction(deps.db, (tx) => run(tx, then));
  }
  return { exchanges: pastExchanges.length };
}

/** The customer at this place, or the next one who had an account by then. */
function customerAt(customers: readonly DemoCustomer[], place: number, at: Date): DemoCustomer {
  const there = customers.filter(({ createdAt }) => createdAt < at);
  const chosen = there[place % there.length];
  if (!chosen) throw new Error('The demo exchanges need a customer from the beginning on.');
  return chosen;
}

/** What happened to it, by its fate; the gaps differ so that no two look alike. */
function stepsOf(course: Course, start: Date): Step[] {
  const { fate } = course.plan;
  const gap = 4 + ((course.place * 7) % 9);
  const after = (minutes: number, run: Step['run']): Step => ({
    at: new Date(start.getTime() + minutes * MINUTE + ((course.place * 13) % 50) * SECOND),
    run,
  });
  const steps = [after(0, creating(course))];
  if (fate === 'awaiting_payment') return steps;
  if (fate === 'cancelled') return [...steps, after(gap, cancelling(course))];
  if (fate === 'expired') return [...steps, after(3 * 60, expiring(course))];
  steps.push(after(gap, paying(course)));
  if (fate === 'to_review') return steps;
  steps.push(after(gap + 6, claiming(course)));
  if (fate === 'claimed') return steps;
  if (fate === 'rejected') return [...steps, after(gap + 10, rejecting(course))];
  steps.push(after(gap + 9, approving(course)));
  return fate === 'approved' ? steps : [...steps, after(gap + 9 + gap, completing(course))];
}

type Act = (tx: Tx, context: ExchangeContext) => Promise<{ data: Seen }>;

/** Does an action as its route would, and remembers the version for the next one. */
function acting(course: Course, act: Act): Step['run'] {
  return async (tx, context) => {
    const { number, version } = (await act(tx, context)).data;
    course.seen = { number, version };
  };
}

function creating(course: Course): Step['run'] {
  const { plan, customer } = course;
  return acting(course, async (tx, context) => {
    const pair = await pairs.findPair(tx, { slug: plan.pair });
    if (!pair) throw new Error(`The demo desk has no pair ${plan.pair}.`);
    const ask = { pair: plan.pair, side: 'send', amount: plan.amount } as const;
    const { token } = await quote(context, customer, ask);
    const created = await create(context, tx, customer, {
      quote_token: token,
      payout_fields: answersFor(pair.receive.payout_fields, pair.receive.slug, customer.name),
      sender_fields: answersFor(pair.send.sender_fields, pair.send.slug, customer.name),
      terms_accepted: true,
    });
    const { number, payee, send, created_at } = created.data;
    // Drawn while other steps run; only channels with receipts have one.
    if (pair.evidence === 'proof' && plan.fate !== 'cancelled' && plan.fate !== 'expired') {
      const words = {
        sender: customer.name,
        amount: `${plan.amount} ${send.unit}`,
        recipient: payee.details[0]?.value ?? payee.label,
        reference: number,
        at: new Date(Date.parse(created_at) + 3 * MINUTE),
      };
      course.receipts.set(course.place, drawReceipt(words, course.place));
    }
    return created;
  });
}

/** Uploads the receipt, or names the transaction, and submits. */
function paying(course: Course): Step['run'] {
  const { customer, deps, receipts, plan, place } = course;
  return acting(course, async (tx, context) => {
    const receipt = await receipts.get(plan.sameFileAs ?? place);
    if (receipt) {
      const file = await proofs.receiveBytes(deps, receipt, 'receipt.jpg');
      await attachProof(context, tx, customer, course.seen.number, file);
      return submit(context, tx, customer, course.seen);
    }
    const payment_reference = randomBytes(32).toString('hex');
    return submit(context, tx, customer, { ...course.seen, payment_reference });
  });
}

function cancelling(course: Course): Step['run'] {
  return acting(course, (tx, context) => cancel(context, tx, course.customer, course.seen));
}

function expiring(course: Course): Step['run'] {
  return async (tx, context) => {
    await endUnpaid(context, tx, course.seen.number);
  };
}

function claiming(course: Course): Step['run'] {
  return acting(course, (tx, context) => claim(context, tx, course.operator, course.seen));
}

function rejecting(course: Course): Step['run'] {
  const reason = 'No payment with this reference has arrived.';
  return acting(course, (tx, context) =>
    reject(context, tx, course.operator, { ...course.seen, reason }),
  );
}

function approving(course: Course): Step['run'] {
  return acting(course, async (tx, context) => {
    const pair = await pairs.findPair(tx, { slug: course.plan.pair });
    return approve(context, tx, course.operator, {
      ...course.seen,
      received_amount: course.plan.amount,
      ...(pair?.complete_on_approval ? { payout_reference: payoutReference(course) } : {}),
    });
  });
}

function completing(course: Course): Step['run'] {
  const run = acting(course, (tx, context) =>
    complete(context, tx, course.operator, {
      ...course.seen,
      payout_reference: payoutReference(course),
    }),
  );
  return async (tx, context) => {
    const pair = await pairs.findPair(tx, { slug: course.plan.pair });
    // Some directions are completed by their approval.
    if (!pair?.complete_on_approval) await run(tx, context);
  };
}

/** An answer to each required question of a currency; numbers are published examples. */
function answersFor(
  fields: readonly FieldJson[],
  currency: string,
  name: string,
): Record<string, string> {
  const { byCurrency, byCheck } = readJson<Record<string, Record<string, string>>>('answers.json');
  return Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map(({ key, check }) => {
        const known = byCurrency?.[`${currency} ${key}`] ?? byCheck?.[check] ?? 'As agreed';
        return [key, check === 'name' ? name : known];
      }),
  );
}

function payoutReference({ place }: Course): string {
  return `PO-${String(48_210 + place * 37)}`;
}

function operatorOf(id: Id): Operator {
  const actor: Actor = { id, role: 'admin', permissions: ['desk'], name: '' };
  return { actor, origin: null, session: null };
}
