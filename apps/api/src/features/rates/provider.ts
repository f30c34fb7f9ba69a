/**
 * What a rate provider is to this desk: one request for all units, and a pure
 * reading of its answer. How an answer is fetched stands in `ask.ts`, whether it
 * is believed in `judge.ts`; an adapter knows one provider's documentation only.
 */
import type { RateFailure, RateProviderName } from '@cambist/contract/rate-settings';

export interface RateProvider {
  readonly name: RateProviderName;
  /** As it calls itself. */
  readonly label: string;
  /** False: it answers without one; a key may still be given to those that know keys. */
  readonly needsKey: boolean;
  /** What its rates are in terms of; ask for these too, or two providers have no edge in common. */
  readonly bases: readonly string[];
  /** Left out where its documentation names no units: then all are asked of it. */
  carries?(unit: string): boolean;
  /** Pure. */
  request(ask: RateAsk): RateRequest;
  /** Pure, and never throws: what is not as documented is `malformed`. */
  read(answer: RateAnswer): Reading;
}

export interface RateAsk {
  readonly key: string | null;
  /** Upper case: `USD`, `USDT`. */
  readonly units: readonly string[];
  /** What stands before the real path in tests; null: the provider's own origin, https. */
  readonly baseUrl: string | null;
}

export interface RateRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RateAnswer {
  readonly status: number;
  readonly text: string;
  /** Those that were asked for; others are left out of the reading. */
  readonly units: readonly string[];
}

/**
 * One rate as it was given, not yet judged: it may be zero, negative or absurd.
 * `rate` is `unit` for one `base`, or `base` for one `unit` where it is inverted;
 * The base in terms of itself is given only where it is not 1, and nothing of it can be right.
 */
export interface GivenRate {
  readonly unit: string;
  readonly base: string;
  /**
   * A plain decimal without exponent, each digit as the provider gave it; after
   * the 18th decimal the rest is cut off, toward zero. What is no JSON number
   * stays visible (`null`, `"0.9"` in its quotes), and what the database cannot
   * hold is `too large`, or its beginning with `…`: none of them can be parsed, and the judge can
   * name them.
   */
  readonly rate: string;
  readonly inverted: boolean;
  /** The provider's own time. */
  readonly asOf: Date;
  /** When it was heard, where that was before the run that hears it again. */
  readonly heardAt?: Date;
}

/** `rates` may lack units: the provider does not know them. */
export type Reading =
  | {
      readonly ok: true;
      readonly rates: readonly GivenRate[];
      /** There is nothing new before; null where the provider does not say. */
      readonly nextUpdateAt: Date | null;
    }
  | {
      readonly ok: false;
      readonly failure: RateFailure;
      /** The provider's own words or ours; `ask` cuts it to 300 characters and takes the key out. */
      readonly detail: string;
      /**
       * Where no answer came: `unsent`, it did not even get the request; `broken`, it may have.
       * Left out where it answered.
       */
      readonly network?: 'unsent' | 'broken';
      /** As `Retry-After` stood in its answer; left out where none did. */
      readonly retryAfter?: string;
    };
