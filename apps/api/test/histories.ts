/**
 * Random histories of exchanges by two customers and two operators, against the real application and
 * database. After each act: the status is one that the design foresees, the state went where the act
 * may lead, and the books agree with the exchanges.
 */
import assert from 'node:assert/strict';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import fc from 'fast-check';
import { openContext } from '#features/exchanges/context.ts';
import { endOverdue } from '#features/exchanges/actions/end-unpaid.ts';
import { reconcileNow } from '#features/exchanges/reconciliation.ts';
import type { Json } from './client.ts';
import { setDesk } from './factories/acts.ts';
import { createBody, deskPath, quote } from './factories/exchange.ts';
import { acts, type World } from './history-acts.ts';
import type { TestApi } from './harness.ts';

interface Known {
  readonly number: string;
  readonly owner: 0 | 1;
}

interface Model {
  readonly exchanges: Known[];
}

const FORESEEN = [200, 201, 404, 409, 422];

/** Chosen more often, so that histories reach their ends. */
const FORWARD = new Set<string>(['submit', 'claim', 'approve', 'complete']);

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
  const cents = parseAmount(send_amount, 2) - parseAmount(received_amount, 2);
  return formatAmount(cents > 0n ? cents : 0n, 2);
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
  assert.deepEqual((await reconcileNow(api.deps, 'whole')).differences, []);
  if (exchange === null) return;
  const sum = (list: readonly Json[], ...states: string[]) =>
    list
      .filter(({ state }) => states.includes(state))
      .reduce((total, { amount }) => total + parseAmount(amount, 2), 0n);
  const received = sum(exchange.receipts, 'recorded');
  assert.equal(parseAmount(exchange.received_amount, 2), received);
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

/** Each history has a million of its own. */
let references = 0;

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
          real: { api, operators, customers, reference: (references += 1_000_000) },
        });
        await fc.asyncModelRun(setup, history);
      },
    ),
    { numRuns: runs, seed, endOnFailure: true },
  );
}
