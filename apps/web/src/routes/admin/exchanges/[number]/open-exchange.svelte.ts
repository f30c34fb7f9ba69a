/**
 * The open exchange and the actions of the operator on it. Nothing is shown as done before the
 * service has answered; after a conflict the exchange is read again.
 */
import {
  getDeskExchange,
  type DeskExchangeDetail,
  type OperatorAction,
} from '@cambist/contract/desk';
import * as acts from '@cambist/contract/desk-actions';
import type { BodyOf, Endpoint } from '@cambist/contract/endpoint';
import { withConfirmation } from '#lib/account/confirmation.svelte.ts';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import { IdempotencyKey } from '#lib/api/idempotency-key.ts';

type Reply = { data: DeskExchangeDetail };
type Given<E extends Endpoint> = Omit<BodyOf<E>, 'version'>;
export type Approval = Given<typeof acts.approveExchange>;
export type Completion = Given<typeof acts.completeExchange>;
export type Payment = Given<typeof acts.recordReceipt>;
export type LatePayment = Given<typeof acts.recordLateReceipt>;
export type Question = Given<typeof acts.askQuestion>;
export type Refund = Given<typeof acts.beginRefund>;
export type RefundPayment = Given<typeof acts.payRefund>;
/** About one receipt, refund or payout. */
export interface Reasoned {
  readonly id: string;
  readonly reason: string;
  readonly charge?: string;
}

/** Refusals that the operator answers in the same dialog: the exchange is as it was shown. */
const toDecide = new Set([
  'amount_differs',
  'rate_lapsed',
  'approval_differs',
  'reference_used',
  'account_missing',
  'insufficient_reserve',
  'pair_unavailable',
  'payout_waits',
]);

export class OpenExchange {
  detail: DeskExchangeDetail = $state.raw() as DeskExchangeDetail;
  /** Milliseconds to add to this machine's clock to have the service's. */
  skew = $state(0);
  pending = $state<OperatorAction | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The last action was refused because the exchange had changed; `detail` has the change. */
  conflict = $state.raw<Failure | null>(null);
  readonly #key = new IdempotencyKey();
  #acts = 0;

  constructor(detail: DeskExchangeDetail) {
    this.#show(detail);
  }

  get number(): string {
    return this.detail.number;
  }

  /** Reads it again in the background. */
  readonly refresh = async (): Promise<void> => {
    if (this.pending !== null) return;
    const acts = this.#acts;
    try {
      const { data } = await call(getDeskExchange, { params: { number: this.number } });
      // What was read before an action may arrive after its answer.
      if (this.#acts !== acts) return;
      // An action without an answer has either raised the version or was not carried out.
      if (data.version !== this.detail.version) this.failure = null;
      this.#show(data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What is shown stays; the service checks the version of each action.
    }
  };

  claim(): Promise<boolean> {
    return this.#act('claim', (params, version) =>
      call(acts.claimExchange, { params, body: { version } }),
    );
  }

  release(): Promise<boolean> {
    return this.#act('release', (params, version) =>
      call(acts.releaseExchange, { params, query: { version } }),
    );
  }

  approve(given: Approval): Promise<boolean> {
    // Above a threshold the operator confirms their identity first, after which the key is another one.
    return this.#act('approve', (params, version) =>
      withConfirmation(() =>
        this.#key.send({ version, ...given }, (keyed) =>
          call(acts.approveExchange, { params, ...keyed }),
        ),
      ),
    );
  }

  reject(reason: string): Promise<boolean> {
    return this.#send('reject', { reason }, (to) => call(acts.rejectExchange, to));
  }

  complete(given: Completion): Promise<boolean> {
    return this.#send('complete', given, (to) => call(acts.completeExchange, to));
  }

  recordReceipt(given: Payment): Promise<boolean> {
    return this.#send('record_receipt', given, (to) => call(acts.recordReceipt, to));
  }

  recordLateReceipt(given: LatePayment): Promise<boolean> {
    return this.#send('record_late_receipt', given, (to) => call(acts.recordLateReceipt, to));
  }

  reverseReceipt({ id, reason }: Reasoned): Promise<boolean> {
    return this.#act('reverse_receipt', (params, version) =>
      this.#key.send({ id, version, reason }, ({ body: { id: _id, ...query }, idempotencyKey }) =>
        call(acts.reverseReceipt, { params: { ...params, id }, query, idempotencyKey }),
      ),
    );
  }

  ask(given: Question): Promise<boolean> {
    return this.#send('ask', given, (to) => call(acts.askQuestion, to));
  }

  refund(given: Refund): Promise<boolean> {
    return this.#send('refund', given, (to) => call(acts.beginRefund, to));
  }

  payRefund(id: string, given: RefundPayment): Promise<boolean> {
    return this.#send('pay_refund', given, ({ params, ...keyed }) =>
      call(acts.payRefund, { params: { ...params, id }, ...keyed }),
    );
  }

  returnRefund({ id, reason }: Reasoned): Promise<boolean> {
    return this.#send('return_refund', { reason }, ({ params, ...keyed }) =>
      call(acts.returnRefund, { params: { ...params, id }, ...keyed }),
    );
  }

  reopen({ reason, charge }: Reasoned): Promise<boolean> {
    const given = { reason, ...(charge && { charge }) };
    return this.#send('reopen', given, (to) => call(acts.reopenExchange, to));
  }

  note(text: string): Promise<boolean> {
    return this.#act('note', (params) =>
      this.#key.send({ text }, (keyed) => call(acts.addNote, { params, ...keyed })),
    );
  }

  /** Needs no version: it changes no decision. */
  async markRead(): Promise<void> {
    await call(acts.readMessages, { params: { number: this.number } });
    await this.refresh();
  }

  /** A message to the customer; it is no action of the table. */
  write(text: string): Promise<boolean> {
    return this.#act('note', (params) =>
      this.#key.send({ text, to: 'customer' }, ({ idempotencyKey }) =>
        call(acts.answerCustomer, { params, body: { text }, idempotencyKey }),
      ),
    );
  }

  /** A corrected reference is another one than the one that was refused. */
  readonly forgetUsed = (): void => {
    if (this.failure?.code === 'reference_used') this.failure = null;
  };

  /** Forgets the last refusal, when a dialog opens or closes. */
  clear(): void {
    this.failure = null;
    this.conflict = null;
  }

  /** What the operator gave, with the version it was given for. */
  #send<Given extends object>(
    action: OperatorAction,
    given: Given,
    send: (to: {
      params: { number: string };
      body: Given & { version: number };
      idempotencyKey: string;
    }) => Promise<Reply>,
  ): Promise<boolean> {
    return this.#act(action, (params, version) =>
      this.#key.send({ version, ...given }, (keyed) => send({ params, ...keyed })),
    );
  }

  /** @returns whether the action was carried out. */
  async #act(
    action: OperatorAction,
    send: (params: { number: string }, version: number) => Promise<Reply>,
  ): Promise<boolean> {
    if (this.pending !== null) return false;
    this.pending = action;
    this.#acts += 1;
    this.clear();
    try {
      const { data } = await send({ number: this.number }, this.detail.version);
      this.#show(data);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409 && !toDecide.has(error.code)) await this.#readAfter(error.failure);
      else this.failure = error.failure;
      return false;
    } finally {
      this.pending = null;
    }
  }

  async #readAfter(conflict: Failure): Promise<void> {
    try {
      const { data } = await call(getDeskExchange, { params: { number: this.number } });
      this.#show(data);
      this.conflict = conflict;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = conflict;
    }
  }

  #show(detail: DeskExchangeDetail): void {
    this.detail = detail;
    this.skew = Date.parse(detail.server_time) - Date.now();
  }
}
