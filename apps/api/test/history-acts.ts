/** The acts of random histories, with where the design lets each lead. */
import type { Answer, Client, Json } from './client.ts';
import { deskPath, IBAN, PAYOUT_FIELDS, picture } from './factories/exchange.ts';
import type { TestApi } from './harness.ts';
import type { ActionName } from '#features/exchanges/action-table.ts';

export interface World {
  readonly api: TestApi;
  readonly operators: readonly [Client, Client];
  readonly customers: readonly [Client, Client];
  /** References are used once. */
  reference: number;
}

type Send = (world: World, exchange: Json, owner: Client, operator: Client) => Promise<Answer>;

export interface Act {
  /** As in the table of actions. */
  readonly name: ActionName;
  readonly who: 'customer' | 'operator';
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

/** By the amount, the receipt or refund meant, and the decision about a difference. */
export function acts(amount: string, index: number, choice: string | undefined): Act[] {
  const receipt = about('receipts', index);
  const refund = about('refunds', index);
  return [
    {
      name: 'upload_proof',
      who: 'customer',
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
      who: 'customer',
      leads: to(['awaiting_payment'], 'payment_submitted'),
      send: customerAct('/submission', { payment_reference: 'paid' }),
    },
    {
      name: 'undo',
      who: 'customer',
      leads: to(['payment_submitted'], 'awaiting_payment'),
      send: (_world, { number, version }, owner) =>
        owner.delete(`/api/exchanges/${number}/submission?version=${version}`, undefined, {
          key: true,
        }),
    },
    {
      name: 'cancel',
      who: 'customer',
      leads: to(['awaiting_payment'], 'cancelled'),
      send: customerAct('/cancellation'),
    },
    {
      name: 'claim',
      who: 'operator',
      leads: {
        ...to(['payment_submitted', 'under_review', 'on_hold'], 'under_review'),
        approved: ['approved'],
      },
      send: operatorAct('/claim', () => ({})),
    },
    {
      name: 'release',
      who: 'operator',
      leads: { under_review: ['payment_submitted'], approved: ['approved'] },
      send: (_world, { number, version }, _owner, operator) =>
        operator.delete(deskPath(number, `/claim?version=${version}`)),
    },
    {
      name: 'record_receipt',
      who: 'operator',
      leads: same([...open, ...decided]),
      send: operatorAct('/receipts', (world) => ({ amount, reference: next(world) })),
    },
    {
      name: 'reverse_receipt',
      who: 'operator',
      leads: {
        ...same([...open, 'approved', 'completed', 'refunded']),
        refund_pending: ['refund_pending', 'refunded', 'cancelled', 'expired', 'rejected'],
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
      who: 'operator',
      leads: to(['payment_submitted', 'under_review'], 'on_hold'),
      send: operatorAct('/question', () => ({ text: 'Who paid?', wants: 'answer' })),
    },
    {
      name: 'answer',
      who: 'customer',
      leads: to(['on_hold'], 'payment_submitted'),
      send: customerAct('/answers', { text: 'I did.' }),
    },
    {
      name: 'approve',
      who: 'operator',
      leads: to(['under_review'], 'approved', 'under_review'),
      send: operatorAct('/approval', (_world, { number, receipts }) => ({
        received_amount: amount,
        ...(/[1-9]/.test(amount) && { reference: `${number} ${receipts.length}` }),
        ...(choice && { difference: choice }),
      })),
    },
    {
      name: 'reject',
      who: 'operator',
      leads: to(['under_review', 'on_hold'], 'rejected'),
      send: operatorAct('/rejection', () => ({ reason: 'Nothing came.' })),
    },
    {
      name: 'complete',
      who: 'operator',
      leads: to(['approved'], 'completed'),
      send: operatorAct('/completion', (world) => ({
        payout_reference: next(world),
        charge: '0.10',
      })),
    },
    {
      name: 'refund',
      who: 'operator',
      leads: to(['under_review', 'on_hold', 'approved'], 'refund_pending'),
      send: operatorAct('/refunds', () => ({ reason: 'Asked for.', charge: '0.05' })),
    },
    {
      name: 'set_refund_account',
      who: 'customer',
      leads: same([...open, ...decided, 'cancelled', 'expired', 'rejected']),
      send: customerAct('/refund-account', { account: 'Bank of Ann' }, 'put'),
    },
    {
      name: 'pay_refund',
      who: 'operator',
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
      name: 'return_refund',
      who: 'operator',
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
      name: 'record_late_receipt',
      who: 'operator',
      leads: to(['cancelled', 'expired', 'rejected'], 'under_review', 'refund_pending'),
      send: operatorAct('/late-receipt', (world) => ({
        amount,
        reference: next(world),
        price: (['locked', 'current', 'refund'] as const)[Math.abs(index) % 3],
      })),
    },
    {
      name: 'reopen',
      who: 'operator',
      leads: to(['completed'], 'approved'),
      send: operatorAct('/reopening', () => ({ reason: 'Bounced.', charge: '0.20' })),
    },
    {
      name: 'change_payout',
      who: 'customer',
      leads: same([...open, 'approved']),
      send: customerAct(
        '/payout-fields',
        { payout_fields: { ...PAYOUT_FIELDS, iban: index % 2 ? IBAN : 'GB29NWBK60161331926819' } },
        'put',
      ),
    },
  ];
}
