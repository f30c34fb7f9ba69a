/**
 * One exchange on the page, refreshed and acted upon. A conflict reads it again; an action whose
 * answer was lost is repeated with the same key.
 */
import * as acts from '@cambist/contract/customer-actions';
import { getExchange, type Exchange } from '@cambist/contract/exchanges';
import { withConfirmation } from '#lib/account/confirmation.svelte.ts';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import { IdempotencyKey } from '#lib/api/idempotency-key.ts';

export type CustomerAction =
  | 'submit'
  | 'undo'
  | 'cancel'
  | 'answer'
  | 'change_payout'
  | 'set_refund_account'
  | 'write';
/** `changed`: refused because the exchange is no longer as it was shown. */
export type ActionResult = 'done' | 'changed' | 'failed';

/** Refusals that mean: what you see is old. */
const conflicts = new Set([
  'version_conflict',
  'state_conflict',
  'payment_overdue',
  'undo_window_closed',
  'exchange_not_payable',
  'receipt_stands',
  'payout_claimed',
]);

export class LiveExchange {
  exchange: Exchange = $state.raw() as Exchange;
  /** The last action was refused because the exchange had changed. */
  conflict = $state(false);
  failure: Failure | null = $state.raw(null);
  doing: CustomerAction | null = $state(null);
  /** The last look was refused, since the session ended. */
  signedOut = $state(false);
  /** What was being done when `failure` came. */
  #failed: CustomerAction | null = $state(null);
  readonly #key = new IdempotencyKey();
  #reading: Promise<void> | null = null;
  #readingAgain: Promise<void> | null = null;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  get #here() {
    return { params: { number: this.exchange.number } };
  }

  /** Shows an answer of the service, unless a newer one is shown already. */
  showUnlessOlder(exchange: Exchange): void {
    const { number, version, server_time } = this.exchange;
    const older =
      exchange.version < version ||
      (exchange.version === version && exchange.server_time < server_time);
    if (exchange.number !== number || !older) this.exchange = exchange;
  }

  /** A version was announced, or none is known. The same version is read too: a proof does not raise it. */
  announced(version: number | undefined): void {
    if (version === undefined || version >= this.exchange.version) void this.refresh();
  }

  /** Reads the exchange anew. When that fails, the next news will bring it. */
  refresh(): Promise<void> {
    if (this.#reading === null) {
      this.#reading = this.#read().finally(() => (this.#reading = null));
      return this.#reading;
    }
    // The reading under way may have been answered before what is to be seen happened.
    this.#readingAgain ??= this.#reading.then(() => {
      this.#readingAgain = null;
      return this.refresh();
    });
    return this.#readingAgain;
  }

  async #read(): Promise<void> {
    try {
      this.showUnlessOlder((await call(getExchange, this.#here)).data);
      this.signedOut = false;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.signedOut = error.status === 401;
    }
  }

  /** The failure of this action, shown beside its button. */
  failureOf(action: CustomerAction): Failure | null {
    return this.#failed === action ? this.failure : null;
  }

  submit(reference: string): Promise<ActionResult> {
    const { version } = this.exchange;
    const body = reference === '' ? { version } : { version, payment_reference: reference };
    return this.#act('submit', reference, (idempotencyKey) =>
      call(acts.submitPayment, { ...this.#here, body, idempotencyKey }),
    );
  }

  undo(): Promise<ActionResult> {
    const query = { version: this.exchange.version };
    return this.#act('undo', '', (idempotencyKey) =>
      call(acts.undoSubmission, { ...this.#here, query, idempotencyKey }),
    );
  }

  cancel(): Promise<ActionResult> {
    const body = { version: this.exchange.version };
    return this.#act('cancel', '', (idempotencyKey) =>
      call(acts.cancelExchange, { ...this.#here, body, idempotencyKey }),
    );
  }

  answer(text: string): Promise<ActionResult> {
    const body = { version: this.exchange.version, ...(text === '' ? {} : { text }) };
    return this.#act('answer', text, (idempotencyKey) =>
      call(acts.answerQuestion, { ...this.#here, body, idempotencyKey }),
    );
  }

  /** After a confirmation of who they are. */
  changePayout(payout_fields: Record<string, string>): Promise<ActionResult> {
    const body = { version: this.exchange.version, payout_fields };
    return this.#act('change_payout', JSON.stringify(payout_fields), (idempotencyKey) =>
      withConfirmation(() =>
        call(acts.changePayoutFields, { ...this.#here, body, idempotencyKey }),
      ),
    );
  }

  /** After a confirmation of who they are. */
  setRefundAccount(account: string): Promise<ActionResult> {
    const body = { version: this.exchange.version, account };
    return this.#act('set_refund_account', account, (idempotencyKey) =>
      withConfirmation(() => call(acts.setRefundAccount, { ...this.#here, body, idempotencyKey })),
    );
  }

  write(text: string): Promise<ActionResult> {
    return this.#act('write', text, (idempotencyKey) =>
      call(acts.writeMessage, { ...this.#here, body: { text }, idempotencyKey }),
    );
  }

  async #act(
    action: CustomerAction,
    words: string,
    send: (key: string) => Promise<{ data: Exchange }>,
  ): Promise<ActionResult> {
    if (this.doing !== null) return 'failed';
    const key = this.#key.for([action, this.exchange.version, words]);
    this.doing = action;
    this.#failed = action;
    this.failure = null;
    this.conflict = false;
    try {
      this.showUnlessOlder((await send(key)).data);
      this.#key.answered(null);
      return 'done';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return await this.#refused(error.failure);
    } finally {
      this.doing = null;
    }
  }

  async #refused(failure: Failure): Promise<ActionResult> {
    this.#key.answered(failure);
    if (!conflicts.has(failure.code)) {
      this.failure = failure;
      return 'failed';
    }
    await this.refresh();
    this.conflict = true;
    return 'changed';
  }
}
