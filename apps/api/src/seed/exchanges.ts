/**
 * The demo desk's past: about sixty exchanges, made by the same functions that
 * make them every day, each at its own moment, so that events, ledger and
 * balances are real. Steps of all exchanges run in the order of their times.
 */
import { createHash, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import { escaped } from '#kernel/escaped.ts';
import type { Id } from '#kernel/id.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { approve } from '#features/exchanges/actions/approve.ts';
import { claim } from '#features/exchanges/actions/claim.ts';
import { complete } from '#features/exchanges/actions/complete.ts';
import { create } from '#features/exchanges/actions/create.ts';
import { endUnpaid } from '#features/exchanges/actions/end-unpaid.ts';
import { reject } from '#features/exchanges/actions/reject.ts';
import { cancel, submit } from '#features/exchanges/actions/submit.ts';
import type { Operator, Seen } from '#features/exchanges/actions/transition.ts';
import { attachProof } from '#features/exchanges/actions/upload-proof.ts';
import { openContext, type ExchangeContext } from '#features/exchanges/context.ts';
import { quote } from '#features/exchanges/quotes/quotes.ts';
import { findPair } from '#features/pairs/pairs.ts';
import * as proofs from '#features/proofs/proofs.ts';
import type { FieldJson } from '#platform/db/json-columns.ts';
import { readHtml, readJson } from './files.ts';

type Fate =
  | 'completed'
  | 'approved'
  | 'to_review'
  | 'claimed'
  | 'awaiting_payment'
  | 'cancelled'
  | 'expired'
  | 'rejected';
type Step = 'create' | 'pay' | 'cancel' | 'expire' | 'claim' | 'reject' | 'approve' | 'complete';

/** What happened to an exchange, and how many minutes after it was created; `gap` differs by place. */
const STEPS: Record<Fate, (gap: number) => (readonly [Step, number])[]> = {
  awaiting_payment: () => [],
  cancelled: (gap) => [['cancel', gap]],
  expired: () => [['expire', 180]],
  to_review: (gap) => [['pay', gap]],
  claimed: (gap) => [...STEPS.to_review(gap), ['claim', gap + 6]],
  rejected: (gap) => [...STEPS.claimed(gap), ['reject', gap + 10]],
  approved: (gap) => [...STEPS.claimed(gap), ['approve', gap + 9]],
  completed: (gap) => [...STEPS.approved(gap), ['complete', 2 * gap + 9]],
};

interface PastExchange {
  readonly hoursAgo: number;
  /** The place among the customers. */
  readonly customer: number;
  readonly pair: string;
  /** Sent, in major units. */
  readonly amount: string;
  readonly fate: Fate;
  /** Uploads the file of this earlier exchange of another customer, by its place in the list. */
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
    const start = now - Math.round(plan.hoursAgo * HOUR);
    const { id, name } = customerAt(people.customers, plan.customer, new Date(start));
    const customer: Actor = { id, name, role: 'user', permissions: [] };
    const seen = { number: '', version: 0 };
    const course: Course = { plan, place, customer, operator, receipts, deps, seen };
    const gap = 4 + ((place * 7) % 9);
    return [['create', 0] as const, ...STEPS[plan.fate](gap)].map(([action, minutes]) => ({
      at: new Date(start + minutes * MINUTE + ((place * 13) % 50) * SECOND),
      action,
      course,
    }));
  });
  // A seed has no session that could confirm a large approval.
  const context = {
    ...(await openContext(deps)),
    freshApprovalAbove: [],
    withoutEmails: true as const,
  };
  for (const { at, action, course } of steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const then = { ...context, readTime: async () => at };
    const answer = await transaction(deps.db, (tx) => ACTIONS[action](course, tx, then));
    if (answer) course.seen = { number: answer.data.number, version: answer.data.version };
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

type Answer = { readonly data: Seen } | undefined;
type Action = (course: Course, tx: Tx, context: ExchangeContext) => Promise<Answer>;

const asCustomer = (actor: Actor) => ({ who: 'customer', actor }) as const;

/** As their routes do them. */
const ACTIONS: Record<Step, Action> = {
  create: createExchange,
  pay,
  cancel: ({ customer, seen }, tx, context) => cancel(context, tx, asCustomer(customer), seen),
  async expire({ seen }, tx, context) {
    await endUnpaid(context, tx, seen.number);
    return undefined;
  },
  claim: ({ operator, seen }, tx, context) => claim(context, tx, operator, seen),
  reject({ operator, seen }, tx, context) {
    const reason = 'No payment with this reference has arrived.';
    return reject(context, tx, operator, { ...seen, reason });
  },
  async approve({ operator, seen, plan, place }, tx, context) {
    const pair = await findPair(tx, { slug: plan.pair });
    return approve(context, tx, operator, {
      ...seen,
      received_amount: plan.amount,
      ...(pair?.complete_on_approval ? { payout_reference: payoutReference(place) } : {}),
    });
  },
  async complete({ operator, seen, plan, place }, tx, context) {
    const pair = await findPair(tx, { slug: plan.pair });
    // Some directions are completed by their approval.
    if (pair?.complete_on_approval) return undefined;
    const payout_reference = payoutReference(place);
    return complete(context, tx, operator, { ...seen, payout_reference });
  },
};

async function createExchange(
  { plan, place, customer, receipts }: Course,
  tx: Tx,
  context: ExchangeContext,
) {
  const pair = await findPair(tx, { slug: plan.pair });
  if (!pair) throw new Error(`The demo desk has no pair ${plan.pair}.`);
  const ask = { pair: plan.pair, side: 'send', amount: plan.amount } as const;
  const { token } = await quote(context, customer, ask);
  const created = await create(context, tx, asCustomer(customer), {
    quote_token: token,
    payout_fields: answersFor(pair.receive.payout_fields, pair.receive.slug, customer.name),
    sender_fields: answersFor(pair.send.sender_fields, pair.send.slug, customer.name),
    terms_accepted: true,
  });
  const { number, payee, send, created_at } = created.data;
  // Drawn while other steps run; only channels with receipts have one.
  if (pair.evidence === 'proof' && plan.fate !== 'cancelled' && plan.fate !== 'expired') {
    const at = new Date(Date.parse(created_at) + 3 * MINUTE).toISOString();
    const words = {
      sender: customer.name,
      amount: `${plan.amount} ${send.unit}`,
      recipient: payee.details[0]?.value ?? payee.label,
      reference: number,
      date: `${at.slice(0, 10)}, ${at.slice(11, 16)}`,
    };
    receipts.set(place, drawReceipt(words, place));
  }
  return created;
}

/** Uploads the receipt, or names the transaction, and submits. */
async function pay(
  { customer, deps, receipts, plan, place, seen }: Course,
  tx: Tx,
  context: ExchangeContext,
) {
  const receipt = await receipts.get(plan.sameFileAs ?? place);
  if (!receipt) {
    const payment_reference = randomBytes(32).toString('hex');
    return submit(context, tx, asCustomer(customer), { ...seen, payment_reference });
  }
  const file = await proofs.receiveBytes(deps, receipt, 'receipt.jpg');
  await attachProof(context, tx, customer, seen.number, file);
  return submit(context, tx, asCustomer(customer), seen);
}

/** A JPEG such as a bank's app gives; nothing in it is anybody's. */
async function drawReceipt(words: Record<string, string>, place: number): Promise<Buffer> {
  const banks = readJson<Record<string, string>[]>('banks.json');
  const filled = Object.entries({ ...words, ...banks[place % banks.length] });
  const values = Object.fromEntries(filled.map(([key, text]) => [key, escaped(text)]));
  return sharp(Buffer.from(readHtml('receipt.svg', values)))
    .jpeg({ quality: 82 })
    .toBuffer();
}

/** An answer to each required question of a currency: published examples, with accounts of the customer's own. */
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
        return [key, check === 'name' ? name : ownAccount(known, name, key, check)];
      }),
  );
}

/** Or all customers would share one account, of which the desk warns. Addresses of chains have check sums. */
function ownAccount(example: string, name: string, key: string, check: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  const digits = BigInt(`0x${hash}`).toString();
  if (check === 'iban') {
    const account = example.slice(4, -8) + digits.slice(0, 8);
    const numbers = `${account}${example.slice(0, 2)}00`.replaceAll(/[A-Z]/g, (letter) =>
      String(letter.charCodeAt(0) - 55),
    );
    const sum = 98n - (BigInt(numbers) % 97n);
    return `${example.slice(0, 2)}${String(sum).padStart(2, '0')}${account}`;
  }
  if (example.startsWith('0x')) return `0x${hash.slice(0, 40)}`;
  return key === 'account' ? example.slice(0, -5) + digits.slice(0, 5) : example;
}

function payoutReference(place: number): string {
  return `PO-${String(48_210 + place * 37)}`;
}

function operatorOf(id: Id): Operator {
  const actor: Actor = { id, role: 'admin', permissions: ['desk'], name: '' };
  return { who: 'operator', actor, origin: null, session: null };
}
