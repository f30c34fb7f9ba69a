/**
 * One exchange on the page: as the service last told it, kept fresh, and acted
 * upon. A conflict reloads it and says what has changed; an action whose answer
 * was lost is repeated with the same key.
 */
import {
  cancelExchange,
  getExchange,
  submitPayment,
  undoSubmission,
  type Exchange,
} from '@cambist/contract/exchanges';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import { changesBetween, isNews, type Change } from './changes.ts';
import { newKey } from './draft.ts';

export type Deed = 'submit' | 'undo' | 'cancel';
/** `changed`: refused because the exchange is no longer as it was shown. */
export type DeedResult = 'done' | 'changed' | 'failed';

/** Refusals that mean: what you see is old. */
const conflicts = new Set([
  'version_conflict',
  'state_conflict',
  'payment_overdue',
  'undo_window_closed',
  'exchange_not_payable',
]);

export class LiveExchange {
  exchange: Exchange = $state.raw() as Exchange;
  /** What was different when an action met a conflict; null when there was none. */
  surprise: Change[] | null = $state.raw(null);
  failure: Failure | null = $state.raw(null);
  doing: Deed | null = $state(null);
  /** The last look was refused, since the session ended. */
  signedOut = $state(false);
  /** What was being done when `failure` came. */
  #failed: Deed | null = $state(null);
  readonly #keys = new Map<string, string>();
  #reading: Promise<void> | null = null;
  #readingAgain: Promise<void> | null = null;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  get #here() {
    return { params: { number: this.exchange.number } };
  }

  /** Takes what the service tells, unless something newer is here already. */
  take(exchange: Exchange): void {
    const { number, version, server_time } = this.exchange;
    const older =
      exchange.version < version ||
      (exchange.version === version && exchange.server_time < server_time);
    if (exchange.number !== number || !older) this.exchange = exchange;
  }

  /** News of a version; without a number it is worth a look. */
  heard(version: number | undefined): void {
    if (isNews(version, this.exchange)) void this.refresh();
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
      this.take((await call(getExchange, this.#here)).data);
      this.signedOut = false;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.signedOut = error.status === 401;
    }
  }

  /** The failure of this deed alone, so that it is told where it was tried. */
  failureOf(deed: Deed): Failure | null {
    return this.#failed === deed ? this.failure : null;
  }

  submit(reference: string): Promise<DeedResult> {
    const { version } = this.exchange;
    const body = reference === '' ? { version } : { version, payment_reference: reference };
    return this.#act('submit', reference, (idempotencyKey) =>
      call(submitPayment, { ...this.#here, body, idempotencyKey }),
    );
  }

  undo(): Promise<DeedResult> {
    const query = { version: this.exchange.version };
    return this.#act('undo', '', (idempotencyKey) =>
      call(undoSubmission, { ...this.#here, query, idempotencyKey }),
    );
  }

  cancel(): Promise<DeedResult> {
    const body = { version: this.exchange.version };
    return this.#act('cancel', '', (idempotencyKey) =>
      call(cancelExchange, { ...this.#here, body, idempotencyKey }),
    );
  }

  async #act(
    deed: Deed,
    words: string,
    send: (key: string) => Promise<{ data: Exchange }>,
  ): Promise<DeedResult> {
    if (this.doing !== null) return 'failed';
    const slot = `${deed} ${this.exchange.version} ${words}`;
    const key = this.#keys.get(slot) ?? newKey();
    this.#keys.set(slot, key);
    // What the person saw: news may come before the refusal does.
    const seen = this.exchange;
    this.doing = deed;
    this.#failed = deed;
    this.failure = null;
    this.surprise = null;
    try {
      this.take((await send(key)).data);
      return 'done';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return await this.#refused(error.failure, slot, seen);
    } finally {
      this.doing = null;
    }
  }

  async #refused(failure: Failure, slot: string, seen: Exchange): Promise<DeedResult> {
    // Below 500 the service has decided; above, or without an answer, only the same key is safe.
    if (failure.status !== 0 && failure.status < 500) this.#keys.delete(slot);
    if (!conflicts.has(failure.code)) {
      this.failure = failure;
      return 'failed';
    }
    await this.refresh();
    this.surprise = changesBetween(seen, this.exchange);
    return 'changed';
  }
}
