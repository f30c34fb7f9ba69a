/**
 * Random histories of exchanges by two customers and two operators, against the real application and
 * database. After each act: the status is one that the design foresees, the state went where the act
 * may lead, and the books agree with the exchanges.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openContext } from '#features/exchanges/context.ts';
import { endOverdue } from '#features/exchanges/actions/end-unpaid.ts';
import { reconcileNow } from '#features/exchanges/reconciliation.ts';
import type { Answer, Client, Json } from './client.ts';
import { setDesk } from './factories/acts.ts';
import { createBody, deskPath, IBAN, PAYOUT_FIELDS, picture, quote } from './factories/exchange.ts';
import type { TestApi } from './harness.ts';

interface World {
  readonly api: TestApi;
  readonly operators: readonly [Client, Client];
  readonly customers: readonly [Client, Client];
  /** References are used once. */
  reference: number;
}

interface Known {
  readonly number: string;
  readonly owner: 0 | 1;
}

interface Model {
  readonly exchanges: Known[];
}

type Send = (world: World, exchange: Json, owner: Client, operator: Client) => Promise<Answer>;

interface Act {
  readonly name: string;
  /** From each state, where the act leads if it is done; elsewhere it must be refused. */
  readonly leads: Readonly<Record<string, readonly string[]>>;
  readonly send: Send;
}

const open = ['awaiting_payment', 'payment_submitted', 'under_review', 'on_hold'];
const decided = ['approved', 'completed', 'refund_pending', 'refunded'];
const same = (states: readonly string[]) =>
  Object.fromEntries(states.map((state) => [state, [state]]));
const to = (states: readonly string[], ...targets: string[]) =>
  Object.fromEntries(states.map((state) => [state, targets]));

const operatorAct =
  (part: string, body: (world: World, exchange: Json) => object): Send =>
  (world, exchange, _owner, operator) => {
    const { number, version } = exchange;
    return operator.post(
      deskPath(number, part),
      { version, ...body(world, exchange) },
      { key: true },
    );
  };
const customerAct =
  (part: string, body: object = {}, method: 'post' | 'put' = 'post'): Send =>
  (_world, { number, version }, owner) =>
    owner[method](`/api/exchanges/${number}${part}`, { version, ...body }, { key: true });
const next = (world: World) => `REF-${(world.reference += 1)}`;
const last = (list: readonly Json[]) => list.at(-1)?.id ?? '01890000-0000-7000-8000-000000000001';
const about = (kind: 'receipts' | 'refunds', index: number) => (exchange: Json) =>
  exchange[kind].at(index)?.id ?? last(exchange[kind]);

function acts(amount: string, index: number, choice: string | undefined): Act[] {
  const receipt = about('receipts', index);
  const refund = about('refunds', index);
  return [
    {
      name: 'upload',
      leads: same(open),
      send: async (_world, { number }, owner) =>
        owner.upload(`/api/exchanges/${number}/proofs`, 'proof', {
          bytes: await picture(),
          name: 'p.jpg',
          type: 'image/jpeg',
        }),
    },
    {
      name: 'submit',
      leads: to(['awaiting_payment'], 'payment_submitted'),
      send: customerAct('/submission', { payment_reference: 'paid' }),
    },
    {
      name: 'undo',
      leads: to(['payment_submitted'], 'awaiting_payment'),
      send: (_world, { number, version }, owner) =>
        owner.delete(`/api/exchanges/${number}/submission?version=${version}`, undefined, {
          key: true,
        }),
    },
    {
      name: 'cancel',
      leads: to(['awaiting_payment'], 'cancelled'),
      send: customerAct('/cancellation'),
    },
    {
      name: 'claim',
      leads: {
        ...to(['payment_submitted', 'under_review', 'on_hold'], 'under_review'),
        approved: ['approved'],
      },
      send: operatorAct('/claim', () => ({})),
    },
    {
      name: 'release',
      leads: { under_review: ['payment_submitted'], approved: ['approved'] },
      send: (_world, { number, version }, _owner, operator) =>
        operator.delete(deskPath(number, `/claim?version=${version}`)),
    },
    {
      name: 'receive',
      leads: same([...open, ...decided]),
      send: operatorAct('/receipts', (world) => ({ amount, reference: next(world) })),
    },
    {
      name: 'reverse',
      leads: {
        ...same([...open, 'approved', 'completed', 'refunded']),
        refund_pending: ['refund_pending', 'cancelled', 'expired', 'rejected'],
      },
      send: (_world, exchange, _owner, operator) =>
        operator.delete(
          deskPath(
            exchange.number,
            `/receipts/${receipt(exchange)}?version=${exchange.version}&reason=mistake`,
          ),
          undefined,
          { key: true },
        ),
    },
    {
      name: 'ask',
      leads: to(['payment_submitted', 'under_review'], 'on_hold'),
      send: operatorAct('/question', () => ({ text: 'Who paid?', wants: 'answer' })),
    },
    {
      name: 'answer',
      leads: to(['on_hold'], 'payment_submitted'),
      send: customerAct('/answers', { text: 'I did.' }),
    },
    {
      name: 'approve',
      leads: to(['under_review'], 'approved', 'under_review'),
      send: operatorAct('/approval', (_world, { number, receipts }) => ({
        received_amount: amount,
        ...(/[1-9]/.test(amount) && { reference: `${number} ${receipts.length}` }),
        ...(choice && { difference: choice }),
      })),
    },
    {
      name: 'reject',
      leads: to(['under_review', 'on_hold'], 'rejected'),
      send: operatorAct('/rejection', () => ({ reason: 'Nothing came.' })),
    },
    {
      name: 'complete',
      leads: to(['approved'], 'completed'),
      send: operatorAct('/completion', (world) => ({
        payout_reference: next(world),
        charge: '0.10',
      })),
    },
    {
      name: 'refund',
      leads: to(['under_review', 'on_hold', 'approved'], 'refund_pending'),
      send: operatorAct('/refunds', () => ({ reason: 'Asked for.', charge: '0.05' })),
    },
    {
      name: 'name the refund account',
      leads: same([...open, ...decided, 'cancelled', 'expired', 'rejected']),
      send: customerAct('/refund-account', { account: 'Bank of Ann' }, 'put'),
    },
    {
      name: 'pay the refund',
      leads: {
        ...same(['approved', 'completed', 'refunded']),
        refund_pending: ['refund_pending', 'refunded'],
      },
      send: (world, exchange, _owner, operator) =>
        operator.post(
          deskPath(exchange.number, `/refunds/${refund(exchange)}/payment`),
          { version: exchange.version, reference: next(world), account: 'Bank of Ann' },
          { key: true },
        ),
    },
    {
      name: 'return the refund',
      leads: {
        ...same(['approved', 'completed', 'refund_pending']),
        refunded: ['refund_pending'],
      },
      send: (_world, exchange, _owner, operator) =>
        operator.post(
          deskPath(exchange.number, `/refunds/${refund(exchange)}/return`),
          { version: exchange.version, reason: 'Closed.' },
          { key: true },
        ),
    },
    {
      name: 'receive late',
      leads: to(['cancelled', 'expired', 'rejected'], 'under_review', 'refund_pending'),
      send: operatorAct('/late-receipt', (world) => ({
        amount,
        reference: next(world),
        price: (['locked', 'current', 'refund'] as const)[Math.abs(index) % 3],
      })),
    },
    {
      name: 'reopen',
      leads: to(['completed'], 'approved'),
      send: operatorAct('/reopening', () => ({ reason: 'Bounced.', charge: '0.20' })),
    },
    {
      name: 'change the payout',
      leads: same([...open, 'approved']),
      send: customerAct(
        '/payout-fields',
        { payout_fields: { ...PAYOUT_FIELDS, iban: index % 2 ? IBAN : 'GB29NWBK60161331926819' } },
        'put',
      ),
    },
  ];
}

const FORESEEN = [200, 201, 404, 409, 422];

/** Chosen more often, so that histories reach their ends. */
const FORWARD = new Set(['submit', 'claim', 'approve', 'complete']);

interface Step {
  readonly place: number;
  readonly by: 0 | 1;
  /** Which act: of all, or of those that the state allows. */
  readonly pick: number;
  readonly wild: boolean;
  readonly amount: string;
  readonly index: number;
  readonly choice: string | undefined;
}

/** One act on one exchange by one operator or its owner. */
class ActCommand implements fc.AsyncCommand<Model, World> {
  readonly #step: Step;
  /** What was done, for the report of a failure. */
  #done = '';

  constructor(step: Step) {
    this.#step = step;
  }

  check({ exchanges }: Model): boolean {
    return exchanges.length > 0;
  }

  async run({ exchanges }: Model, world: World): Promise<void> {
    const { place, by, pick, wild, amount, index, choice } = this.#step;
    const known = exchanges[place % exchanges.length];
    if (!known) return;
    const [first] = world.operators;
    const read = async (): Promise<Json> => (await first.get(deskPath(known.number))).body.data;
    const before = await read();
    const all = acts(amount === 'exact' ? missing(before) : amount, index, choice);
    const fitting = wild ? all : all.filter(({ leads }) => leads[before.state] !== undefined);
    const likely = fitting.flatMap((each) =>
      FORWARD.has(each.name) ? [each, each, each] : [each],
    );
    const act = likely[pick % likely.length];
    if (!act) return;
    // Mostly who holds the claim.
    const holder = before.claim === null ? by : before.claim.mine ? 0 : 1;
    const operator = world.operators[wild ? by : holder];
    this.#done = `${act.name} of ${known.number} in ${before.state} by ${by}`;
    const owner = world.customers[known.owner];
    const { status, text } = await act.send(world, before, owner, operator);
    assert.ok(FORESEEN.includes(status), `${this.#done}: ${status} ${text}`);
    const after = await read();
    if (status >= 300) {
      assert.deepEqual([after.state, after.version], [before.state, before.version], text);
    } else {
      assert.ok(act.leads[before.state]?.includes(after.state), `${this.#done} → ${after.state}`);
    }
    await assertBooks(world, after);
  }

  toString(): string {
    return this.#done || 'not run';
  }
}

/** What is still to be received; nothing where it is all there. */
function missing({ send_amount, received_amount }: Json): string {
  const cents = Math.round(Number(send_amount) * 100) - Math.round(Number(received_amount) * 100);
  return (Math.max(cents, 0) / 100).toFixed(2);
}

class CreateCommand implements fc.AsyncCommand<Model, World> {
  readonly #owner: 0 | 1;

  constructor(owner: 0 | 1) {
    this.#owner = owner;
  }

  check = () => true;

  async run({ exchanges }: Model, { customers }: World): Promise<void> {
    const client = customers[this.#owner];
    const { token } = await quote(client, '20.00');
    const { status, body, text } = await client.post('/api/exchanges', createBody(token), {
      key: true,
    });
    assert.ok(status === 201 || status === 409, text);
    if (status === 201) exchanges.push({ number: body.data.number, owner: this.#owner });
  }

  toString = () => `create by ${this.#owner}`;
}

/** Time passes: to pay, to answer, of a locked rate, of claims. */
class TimeCommand implements fc.AsyncCommand<Model, World> {
  readonly #what: 'pay_by' | 'claimed_until' | 'rate_held_until' | 'payout_waits_until';

  constructor(what: 'pay_by' | 'claimed_until' | 'rate_held_until' | 'payout_waits_until') {
    this.#what = what;
  }

  check = () => true;

  async run(_model: Model, world: World): Promise<void> {
    const { api } = world;
    await api.deps.sql`
      update exchanges set ${api.deps.sql(this.#what)} = now()
      where ${api.deps.sql(this.#what)} is not null`;
    const { failed } = await endOverdue(await openContext(api.deps));
    assert.equal(failed, 0);
    await assertBooks(world, null);
  }

  toString = () => `${this.#what} passes`;
}

async function assertBooks({ api }: World, exchange: Json | null): Promise<void> {
  assert.deepEqual((await reconcileNow(api.deps)).differences, []);
  if (exchange === null) return;
  const sum = (list: readonly Json[], ...states: string[]) =>
    list
      .filter(({ state }) => states.includes(state))
      .reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);
  const received = sum(exchange.receipts, 'recorded');
  assert.equal(Math.round(Number(exchange.received_amount) * 100), received);
  assert.ok(sum(exchange.refunds, 'awaiting_account', 'to_pay', 'paid') <= received);
  const payouts = exchange.payouts.map(({ state }: Json) => state);
  const openPayouts = payouts.filter((state: string) => state === 'to_pay' || state === 'sent');
  const wanted = { approved: ['to_pay'], completed: ['sent'] }[exchange.state as string] ?? [];
  assert.deepEqual(openPayouts, wanted, exchange.state);
}

const who = fc.constantFrom<0 | 1>(0, 1);
const step = fc
  .record({
    place: fc.nat(2),
    by: who,
    pick: fc.nat(1000),
    wild: fc.nat(9).map((one) => one === 0),
    amount: fc.constantFrom('exact', 'exact', 'exact', '19.99', '12.50', '35.00', '0.01', '0.00'),
    index: fc.integer({ min: -2, max: 2 }),
    choice: fc.constantFrom<string | undefined>(
      undefined,
      undefined,
      'recalculate_locked',
      'recalculate_current',
      'refund_excess',
    ),
  })
  .map((given) => new ActCommand(given));
const time = fc
  .constantFrom('pay_by', 'claimed_until', 'rate_held_until', 'payout_waits_until')
  .map((what) => new TimeCommand(what as 'pay_by'));
const creation = who.map((owner) => new CreateCommand(owner));

/** Most acts fit the state. */
const commands = [creation, time, ...Array.from({ length: 18 }, () => step)];

/** Histories of so many acts; a failure names its seed and the shortest history that fails. */
export async function runHistories(
  api: TestApi,
  operators: World['operators'],
  { runs, length, seed }: { runs: number; length: number; seed: number },
): Promise<void> {
  await setDesk(api, {
    tolerance: [{ currency: 'usd', amount: '0.01' }],
    second_approver_above: [{ currency: 'usd', amount: '30' }],
    new_customer_reserve_percent: 100,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.commands(commands, { maxCommands: length, size: 'max' }),
      async (history) => {
        const customers = [(await api.asMember()).client, (await api.asMember()).client] as const;
        const setup = async () => ({
          model: { exchanges: [] },
          real: { api, operators, customers, reference: Math.floor(Math.random() * 1e12) },
        });
        await fc.asyncModelRun(setup, history);
      },
    ),
    { numRuns: runs, seed, endOnFailure: true },
  );
}
