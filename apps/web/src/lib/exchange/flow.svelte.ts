/**
 * The exchange before it exists: amounts, details, price and order, kept in one
 * place and, through the draft, in the tab. The page shows it; the pure files
 * beside it decide.
 */
import type { ReplyOf } from '@cambist/contract/endpoint';
import { createExchange } from '@cambist/contract/exchanges';
import { createQuote, type Quote } from '@cambist/contract/quotes';
import { pairRequirements } from '@cambist/contract/pair-requirements';
import { ApiError, call, type Failure } from '#lib/api/client.ts';
import { randomKey } from '#lib/api/idempotency-key.ts';
import {
  directionOf,
  isQuotable,
  priceOf,
  type ConverterData,
  type Direction,
  type Side,
} from '#lib/converter/price.ts';
import { answerFaults, answersFor, type AnswerFault } from './answer-checks.ts';
import {
  readDraft,
  removeDraft,
  storeDraft,
  type Answers,
  type Attempt,
  type Draft,
} from './draft.ts';
import { orderOutcome, type OrderOutcome } from './order-outcome.ts';
import { isSamePrice, type SeenPrice } from './price-change.ts';
import type { Progress } from './steps.ts';

export type Requirements = ReplyOf<typeof pairRequirements>['data'];

/** A new price that the person has not agreed to yet, beside the one they saw. */
export interface Offer {
  readonly quote: Quote;
  readonly before: SeenPrice;
  /** `expired`: the hold ran out. `moved`: the rate changed while they typed. */
  readonly reason: 'expired' | 'moved';
}

export interface Start {
  readonly data: ConverterData;
  readonly userId: string;
  readonly entry: string;
  readonly direction: Direction;
  readonly side: Side;
  readonly amount: string;
}

export class ExchangeFlow {
  readonly #data: ConverterData;
  readonly #userId: string;
  #entry: string;
  /** How far the server's clock is ahead of this one. */
  #offsetMs = $state(0);

  direction: Direction = $state.raw() as Direction;
  side: Side = $state('send');
  amount = $state('');
  answers: { payout_fields: Record<string, string>; sender_fields: Record<string, string> } =
    $state({
      payout_fields: {},
      sender_fields: {},
    });
  termsAccepted = $state(false);

  requirements: Requirements | null = $state.raw(null);
  #requirementsOf = '';
  /** The price that is held and has been agreed to. */
  quote: Quote | null = $state.raw(null);
  offer: Offer | null = $state.raw(null);
  attempt: Attempt | null = $state.raw(null);
  /** What the last refused or unanswered order came to. */
  outcome: OrderOutcome | null = $state(null);
  failure: Failure | null = $state.raw(null);
  /** Each question waits for its own answer only. */
  readonly busy = $state({ requirements: false, quote: false, order: false });

  constructor(start: Start) {
    ({ data: this.#data, userId: this.#userId, entry: this.#entry } = start);
    ({ direction: this.direction, side: this.side, amount: this.amount } = start);
  }

  readonly price = $derived.by(() => priceOf(this.direction, this.side, this.amount));
  readonly priced = $derived(
    this.price.kind === 'price' && this.price.trouble === null && isQuotable(this.direction.pair),
  );
  readonly progress: Progress = $derived({
    priced: this.priced,
    answered:
      this.requirements !== null &&
      (['payout_fields', 'sender_fields'] as const).every(
        (part) => Object.keys(this.faults(part)).length === 0,
      ),
    ordered: this.attempt !== null,
  });

  /** The server's time now, for countdowns. */
  serverNow(): string {
    return new Date(Date.now() + this.#offsetMs).toISOString();
  }

  isOver(quote: Quote): boolean {
    return Date.parse(quote.expires_at) <= Date.now() + this.#offsetMs;
  }

  /** Takes up what this tab has kept. `entry`: the amounts in the address now. */
  restore(entry: string): void {
    const draft = readDraft(this.#userId);
    // What someone else entered in this tab is not kept for them to come back to.
    if (draft === null) return removeDraft();
    const direction = directionOf(this.#data, draft.pair);
    this.attempt = draft.attempt;
    this.answers = {
      payout_fields: { ...draft.answers.payout_fields },
      sender_fields: { ...draft.answers.sender_fields },
    };
    // Other amounts in the address are a new beginning, unless an order is open.
    if (!direction || (draft.entry !== entry && draft.attempt === null)) return;
    this.direction = direction;
    this.side = draft.side;
    this.amount = draft.amount;
    this.termsAccepted = draft.terms_accepted;
    this.quote = draft.quote;
    this.#offsetMs = draft.clock_offset_ms;
  }

  save(): void {
    storeDraft(this.#draft());
  }

  /** The amounts have changed: a price for other ones says nothing any more. */
  amountsChanged(): void {
    this.quote = null;
    this.offer = null;
    this.outcome = null;
    this.failure = null;
    this.save();
  }

  /** The address now carries these amounts, so a reload finds the draft again. */
  entered(entry: string): void {
    this.#entry = entry;
    this.save();
  }

  faults(part: keyof Answers): Record<string, AnswerFault> {
    return answerFaults(this.requirements?.[part] ?? [], this.answers[part]);
  }

  async loadRequirements(): Promise<void> {
    const { slug } = this.direction.pair;
    if (this.requirements !== null && this.#requirementsOf === slug) return;
    this.requirements = null;
    await this.#doing('requirements', async () => {
      const { data } = await call(pairRequirements, { params: { slug } });
      // Another pair may have been chosen meanwhile.
      if (slug !== this.direction.pair.slug) return;
      this.requirements = data;
      this.#requirementsOf = slug;
    });
  }

  /** Asks for a price and drops it: it says what the customer may send now, and is held at the review. */
  async checkAmount(): Promise<boolean> {
    await this.#doing('quote', async () => void (await this.#askPrice()));
    return this.failure === null;
  }

  /** Asks for a price unless a live one is held or offered. */
  async holdPrice(): Promise<void> {
    const current = this.offer?.quote ?? this.quote;
    if (current === null || this.isOver(current)) await this.renewPrice();
  }

  /** Asks for a price in place of the one held, which the person then agrees to. */
  async renewPrice(): Promise<void> {
    if (this.attempt !== null || this.busy.quote) return;
    const before = this.#seenPrice();
    await this.#doing('quote', async () => {
      const quote = await this.#askPrice();
      const first = this.quote === null && this.offer === null;
      if (before === null || (first && isSamePrice(before, quote))) this.#agree(quote);
      else this.offer = { quote, before, reason: this.quote === null ? 'moved' : 'expired' };
    });
  }

  /** Agrees to the offered price; one that ran out meanwhile is asked for again. */
  async acceptOffer(): Promise<void> {
    if (this.offer === null) return;
    if (this.isOver(this.offer.quote)) return this.renewPrice();
    this.#agree(this.offer.quote);
  }

  /**
   * Sends the order, or the same order once more. Gives the exchange's number,
   * or null with `outcome` and `failure` saying why there is none yet.
   */
  async order(): Promise<string | null> {
    if (this.busy.order) return null;
    this.attempt ??= this.#newAttempt();
    if (this.attempt === null) return null;
    // Kept before it is sent: after a reload the same key goes with the same body.
    this.save();
    const { key, body } = this.attempt;
    this.outcome = null;
    this.busy.order = true;
    this.failure = null;
    try {
      const { data } = await call(createExchange, { body, idempotencyKey: key });
      removeDraft();
      return data.number;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#refused(error.failure);
      return null;
    } finally {
      this.busy.order = false;
    }
  }

  #refused(failure: Failure): void {
    this.failure = failure;
    this.outcome = orderOutcome(failure);
    if (this.outcome === 'unknown') return;
    this.attempt = null;
    if (this.outcome === 'already_made' || this.outcome === 'amounts_refused') this.quote = null;
    this.save();
  }

  #newAttempt(): Attempt | null {
    if (this.quote === null || this.requirements === null) return null;
    const { payout_fields, sender_fields } = this.requirements;
    const sender = answersFor(sender_fields, this.answers.sender_fields);
    const body = {
      quote_token: this.quote.token,
      payout_fields: answersFor(payout_fields, this.answers.payout_fields),
      ...(Object.keys(sender).length > 0 ? { sender_fields: sender } : {}),
      terms_accepted: this.termsAccepted,
    };
    return { key: randomKey(), body };
  }

  async #askPrice(): Promise<Quote> {
    const askedAt = Date.now();
    const body = { pair: this.direction.pair.slug, side: this.side, amount: this.amount };
    const { data } = await call(createQuote, { body });
    // The answer was made between request and arrival; the middle is the best guess.
    this.#offsetMs = Date.parse(data.server_time) - (askedAt + Date.now()) / 2;
    return data;
  }

  #agree(quote: Quote): void {
    this.quote = quote;
    this.offer = null;
    this.outcome = null;
    this.failure = null;
    this.save();
  }

  /** The price on the screen: the held one, else what this browser reckoned. */
  #seenPrice(): SeenPrice | null {
    if (this.offer !== null) return this.offer.before;
    return this.quote ?? (this.price.kind === 'price' ? this.price.quote : null);
  }

  async #doing(what: 'requirements' | 'quote', work: () => Promise<void>): Promise<void> {
    this.busy[what] = true;
    this.failure = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
    } finally {
      this.busy[what] = false;
    }
  }

  #draft(): Draft {
    const { direction, side, amount, attempt, quote } = this;
    return {
      user_id: this.#userId,
      entry: this.#entry,
      pair: direction.pair.slug,
      side,
      amount,
      answers: $state.snapshot(this.answers),
      terms_accepted: this.termsAccepted,
      quote,
      clock_offset_ms: this.#offsetMs,
      attempt,
    };
  }
}
