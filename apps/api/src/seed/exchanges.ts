/**
 * The demo desk's past: about sixty exchanges, made by the same functions that
 * make them every day, each at its own moment, so that events, ledger and
 * balances are real. Steps of all exchanges run in the order of their times.
 */
import { randomBytes } from 'node:crypto';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as exchanges from '#features/exchanges/exchanges.ts';
import * as ledger from '#features/ledger/ledger.ts';
import * as pairs from '#features/pairs/pairs.ts';
import * as proofs from '#features/proofs/proofs.ts';
import { answersFor } from './answers.ts';
import { pastExchanges, type PastExchange } from './past-exchanges.ts';
import { drawReceipt } from './receipts.ts';

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
  readonly run: (tx: Tx, work: exchanges.Work) => Promise<void>;
}

/** One exchange on its way; the number and version are known once it is created. */
interface Course {
  readonly plan: PastExchange;
  readonly place: number;
  readonly customer: Actor;
  readonly operator: exchanges.Operator;
  readonly receipts: Map<number, Promise<Buffer>>;
  readonly deps: Deps;
  seen: { number: string; version: number };
}

export async function seedExchanges(
  deps: Deps,
  people: DemoPeople,
): Promise<{ exchanges: number }> {
  const operator = operatorOf(people.operatorId ?? people.adminId);
  const receipts = new Map<number, Promise<Buffer>>();
  const now = deps.clock().getTime();
  const steps = pastExchanges.flatMap((plan, place) => {
    const start = new Date(now - Math.round(plan.hoursAgo * HOUR));
    const { id, name } = customerAt(people.customers, plan.customer, start);
    const customer: Actor = { id, name, role: 'user', permissions: [] };
    const seen = { number: '', version: 0 };
    const course: Course = { plan, place, customer, operator, receipts, deps, seen };
    return stepsOf(course, start);
  });
  const work = await exchanges.openWork(deps);
  for (const { at, run } of steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const then = { ...work, moment: async () => at };
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
  const steps = [after(0, create(course))];
  if (fate === 'awaiting_payment') return steps;
  if (fate === 'cancelled') return [...steps, after(gap, cancel(course))];
  if (fate === 'expired') return [...steps, after(3 * 60, expire(course))];
  steps.push(after(gap, pay(course)));
  if (fate === 'to_review') return steps;
  steps.push(after(gap + 6, claim(course)));
  if (fate === 'claimed') return steps;
  if (fate === 'rejected') return [...steps, after(gap + 10, reject(course))];
  steps.push(after(gap + 9, approve(course)));
  return fate === 'approved' ? steps : [...steps, after(gap + 9 + gap, complete(course))];
}

type Act = (tx: Tx, work: exchanges.Work) => Promise<exchanges.Outcome>;

/** Does an action as its door would: what it posts comes last. */
function doing(course: Course, act: Act): Step['run'] {
  return async (tx, work) => {
    const { exchange, postings } = await act(tx, work);
    await ledger.postTogether(tx, postings);
    course.seen = { number: exchange.number, version: exchange.version };
  };
}

function create(course: Course): Step['run'] {
  const { plan, customer } = course;
  return doing(course, async (tx, work) => {
    const pair = await pairs.findPair(tx, { slug: plan.pair });
    if (!pair) throw new Error(`The demo desk has no pair ${plan.pair}.`);
    const ask = { pair: plan.pair, side: 'send', amount: plan.amount } as const;
    const { token } = await exchanges.quote(work, customer, ask);
    const outcome = await exchanges.create(work, tx, customer, {
      quote_token: token,
      payout_fields: answersFor(pair.receive.payout_fields, pair.receive.slug, customer.name),
      sender_fields: answersFor(pair.send.sender_fields, pair.send.slug, customer.name),
    });
    const { number, payee, send, created_at } = outcome.exchange;
    // Drawn while other steps run; only who pays by a channel with receipts has one.
    if (pair.evidence === 'proof' && plan.fate !== 'cancelled' && plan.fate !== 'expired') {
      const words = {
        sender: customer.name,
        amount: `${plan.amount} ${send.unit}`,
        recipient: payee.details[0]?.value ?? payee.label,
        reference: number,
        at: new Date(created_at.getTime() + 3 * MINUTE),
      };
      course.receipts.set(course.place, drawReceipt(words, course.place));
    }
    return outcome;
  });
}

/** Uploads the receipt, or names the transaction, and submits. */
function pay(course: Course): Step['run'] {
  const { customer, deps, receipts, plan, place } = course;
  return doing(course, async (tx, work) => {
    const receipt = await receipts.get(plan.sameFileAs ?? place);
    if (receipt) {
      const file = await proofs.receiveBytes(deps, receipt, 'receipt.jpg');
      await exchanges.attachIn(work, tx, customer, course.seen.number, file);
    }
    const reference = receipt ? undefined : randomBytes(32).toString('hex');
    return exchanges.submit(work, tx, customer, course.seen, reference);
  });
}

function cancel(course: Course): Step['run'] {
  return doing(course, (tx, work) => exchanges.cancel(work, tx, course.customer, course.seen));
}

function expire(course: Course): Step['run'] {
  return doing(course, (tx, work) => exchanges.endWaiting(work, tx, course.seen.number));
}

function claim(course: Course): Step['run'] {
  return doing(course, (tx, work) => exchanges.claim(work, tx, course.operator, course.seen));
}

function reject(course: Course): Step['run'] {
  const reason = 'No payment with this reference has arrived.';
  return doing(course, (tx, work) =>
    exchanges.reject(work, tx, course.operator, course.seen, reason),
  );
}

function approve(course: Course): Step['run'] {
  return doing(course, async (tx, work) => {
    const pair = await pairs.findPair(tx, { slug: course.plan.pair });
    const words = {
      received_amount: course.plan.amount,
      ...(pair?.complete_on_approval ? { payout_reference: payoutReference(course) } : {}),
    };
    // Nobody sits at a seed: there is no session to confirm.
    return exchanges.approve(work, tx, course.operator, course.seen, words, () => undefined);
  });
}

function complete(course: Course): Step['run'] {
  const run = doing(course, (tx, work) =>
    exchanges.complete(work, tx, course.operator, course.seen, payoutReference(course)),
  );
  return async (tx, work) => {
    const pair = await pairs.findPair(tx, { slug: course.plan.pair });
    // Some directions are completed by their approval.
    if (!pair?.complete_on_approval) await run(tx, work);
  };
}

function payoutReference({ place }: Course): string {
  return `PO-${String(48_210 + place * 37)}`;
}

function operatorOf(id: Id): exchanges.Operator {
  return { actor: { id, role: 'admin', permissions: ['desk'], name: '' }, origin: null };
}
