/**
 * The open exchange: how it stands, and the deeds done to it. Nothing is shown
 * as done before the service has answered; when someone else was faster, the
 * exchange is read again and what changed is kept to be told.
 */
import {
  addNote,
  approveExchange,
  claimExchange,
  completeExchange,
  getDeskExchange,
  rejectExchange,
  releaseExchange,
  type DeskExchangeDetail,
  type OperatorAction,
} from '@cambist/contract/desk';
import { withConfirmation } from '#lib/account/confirmation.svelte.ts';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import { DeedKey } from '#lib/api/idempotency-key.ts';
import { isUnsure } from '#lib/api/uncertain.ts';
import { changesBetween, type Change } from './changes.ts';

type Reply = { data: DeskExchangeDetail };

/** A deed that came too late, and what had happened meanwhile. */
export interface Overtaken {
  readonly failure: Failure;
  readonly changes: readonly Change[];
}

export class OpenExchange {
  detail: DeskExchangeDetail = $state.raw() as DeskExchangeDetail;
  /** Milliseconds to add to this machine's clock to have the service's. */
  skew = $state(0);
  pending = $state<OperatorAction | null>(null);
  failure = $state.raw<Failure | null>(null);
  overtaken = $state.raw<Overtaken | null>(null);
  readonly #key = new DeedKey();
  /** References of payouts that were sent from here and whose answer was lost: they may be booked. */
  #unanswered = $state.raw<readonly string[]>([]);

  constructor(detail: DeskExchangeDetail) {
    this.#take(detail);
  }

  get number(): string {
    return this.detail.number;
  }

  /** Whether it was paid out by a press made here whose answer was lost, and by nobody else. */
  get isPaidFromHere(): boolean {
    const { state, payout_reference: reference, timeline } = this.detail;
    // Another may have entered the same reference: the number of the exchange, for one.
    const payout = timeline.findLast(({ action }) => action === 'complete');
    return (
      state === 'completed' &&
      payout?.mine === true &&
      reference !== null &&
      this.#unanswered.includes(reference)
    );
  }

  /** What is known by now of a payout sent from here whose answer was lost; null while nothing is, or none was. */
  get lostPayout(): 'booked' | 'paid_by_other' | null {
    if (this.detail.state !== 'completed' || this.#unanswered.length === 0) return null;
    return this.isPaidFromHere ? 'booked' : 'paid_by_other';
  }

  /** Reads it again in the background; a deed under way has its own answer coming. */
  readonly refresh = async (): Promise<void> => {
    if (this.pending !== null) return;
    try {
      const { data } = await call(getDeskExchange, { params: { number: this.number } });
      if (this.pending === null) this.#take(data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What is shown stays; a deed on it is still checked by its version.
    }
  };

  claim(): Promise<boolean> {
    return this.#deed('claim', (params, version) =>
      call(claimExchange, { params, body: { version } }),
    );
  }

  release(): Promise<boolean> {
    return this.#deed('release', (params, version) =>
      call(releaseExchange, { params, query: { version } }),
    );
  }

  async approve(given: { received_amount: string; payout_reference?: string }): Promise<boolean> {
    const ok = await this.#deed('approve', (params, version) => {
      const body = { version, ...given };
      // Above a threshold it has to be confirmed freshly who decides.
      return withConfirmation(() =>
        this.#keyed(['approve', body], (idempotencyKey) =>
          call(approveExchange, { params, body, idempotencyKey }),
        ),
      );
    });
    this.#payoutSent(given.payout_reference, ok);
    return ok;
  }

  reject(reason: string): Promise<boolean> {
    return this.#deed('reject', (params, version) => {
      const body = { version, reason };
      return call(rejectExchange, {
        params,
        body,
        idempotencyKey: this.#key.for(['reject', body]),
      });
    });
  }

  async complete(payout_reference: string): Promise<boolean> {
    const ok = await this.#deed('complete', (params, version) => {
      const body = { version, payout_reference };
      return call(completeExchange, {
        params,
        body,
        idempotencyKey: this.#key.for(['complete', body]),
      });
    });
    this.#payoutSent(payout_reference, ok);
    return ok;
  }

  note(text: string): Promise<boolean> {
    return this.#deed('note', (params) => {
      const body = { text };
      return call(addNote, { params, body, idempotencyKey: this.#key.for(['note', body]) });
    });
  }

  /** Forgets what was refused, when a dialog opens or closes. */
  clear(): void {
    this.failure = null;
    this.overtaken = null;
  }

  /** Forgets what was lost too, once it has been told what became of it. */
  settle(): void {
    this.clear();
    this.#unanswered = [];
  }

  /** What was sent to be booked: the service's word settles it, no word leaves it open. */
  #payoutSent(reference: string | undefined, ok: boolean): void {
    if (ok) this.#unanswered = [];
    else if (reference !== undefined && this.failure && isUnsure(this.failure)) {
      this.#unanswered = [...this.#unanswered, reference];
    }
  }

  /** A refusal stands under its key for good: what is sent again after it needs another one. */
  async #keyed(said: unknown, send: (key: string) => Promise<Reply>): Promise<Reply> {
    try {
      return await send(this.#key.for(said));
    } catch (error) {
      if (error instanceof ApiError) this.#key.answered(error.failure);
      throw error;
    }
  }

  /** True when it was done. */
  async #deed(
    action: OperatorAction,
    send: (params: { number: string }, version: number) => Promise<Reply>,
  ): Promise<boolean> {
    if (this.pending !== null) return false;
    this.pending = action;
    this.clear();
    try {
      const { data } = await send({ number: this.number }, this.detail.version);
      this.#key.answered(null);
      this.#take(data);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#key.answered(error.failure);
      if (error.status === 409) await this.#learn(error.failure);
      else this.failure = error.failure;
      return false;
    } finally {
      this.pending = null;
    }
  }

  async #learn(failure: Failure): Promise<void> {
    const before = this.detail;
    try {
      const { data } = await call(getDeskExchange, { params: { number: this.number } });
      this.#take(data);
      this.overtaken = { failure, changes: changesBetween(before, data) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = failure;
    }
  }

  #take(detail: DeskExchangeDetail): void {
    this.detail = detail;
    this.skew = Date.parse(detail.server_time) - Date.now();
  }
}
