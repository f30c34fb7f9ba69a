/**
 * The open exchange and the actions of the operator on it. Nothing is shown as done before the
 * service has answered; after a conflict the exchange is read again.
 */
import {
  getDeskExchange,
  type DeskExchangeDetail,
  type OperatorAction,
} from '@cambist/contract/desk';
import {
  addNote,
  approveExchange,
  claimExchange,
  completeExchange,
  rejectExchange,
  releaseExchange,
} from '@cambist/contract/desk-actions';
import { withConfirmation } from '#lib/account/confirmation.svelte.ts';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import { IdempotencyKey } from '#lib/api/idempotency-key.ts';

type Reply = { data: DeskExchangeDetail };

export class OpenExchange {
  detail: DeskExchangeDetail = $state.raw() as DeskExchangeDetail;
  /** Milliseconds to add to this machine's clock to have the service's. */
  skew = $state(0);
  pending = $state<OperatorAction | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The last action was refused because the exchange had changed; `detail` has the change. */
  conflict = $state.raw<Failure | null>(null);
  readonly #key = new IdempotencyKey();

  constructor(detail: DeskExchangeDetail) {
    this.#show(detail);
  }

  get number(): string {
    return this.detail.number;
  }

  /** Reads it again in the background. */
  readonly refresh = async (): Promise<void> => {
    if (this.pending !== null) return;
    try {
      const { data } = await call(getDeskExchange, { params: { number: this.number } });
      if (this.pending !== null) return;
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
      call(claimExchange, { params, body: { version } }),
    );
  }

  release(): Promise<boolean> {
    return this.#act('release', (params, version) =>
      call(releaseExchange, { params, query: { version } }),
    );
  }

  approve(given: { received_amount: string; payout_reference?: string }): Promise<boolean> {
    return this.#act('approve', (params, version) =>
      // Above a threshold the operator confirms their identity first, after which the key is another one.
      withConfirmation(() =>
        this.#key.send({ version, ...given }, (keyed) =>
          call(approveExchange, { params, ...keyed }),
        ),
      ),
    );
  }

  reject(reason: string): Promise<boolean> {
    return this.#act('reject', (params, version) =>
      this.#key.send({ version, reason }, (keyed) => call(rejectExchange, { params, ...keyed })),
    );
  }

  complete(payout_reference: string): Promise<boolean> {
    return this.#act('complete', (params, version) =>
      this.#key.send({ version, payout_reference }, (keyed) =>
        call(completeExchange, { params, ...keyed }),
      ),
    );
  }

  note(text: string): Promise<boolean> {
    return this.#act('note', (params) =>
      this.#key.send({ text }, (keyed) => call(addNote, { params, ...keyed })),
    );
  }

  /** Forgets the last refusal, when a dialog opens or closes. */
  clear(): void {
    this.failure = null;
    this.conflict = null;
  }

  /** @returns whether the action was carried out. */
  async #act(
    action: OperatorAction,
    send: (params: { number: string }, version: number) => Promise<Reply>,
  ): Promise<boolean> {
    if (this.pending !== null) return false;
    this.pending = action;
    this.clear();
    try {
      const { data } = await send({ number: this.number }, this.detail.version);
      this.#show(data);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409) await this.#readAfter(error.failure);
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
