/**
 * What a rate provider is to this desk: one request for all units, and a pure
 * reading of its answer. `fetch.ts` sends the request, `acceptance.ts` decides on
 * the rates; an adapter knows one provider's documentation only.
 */
import type { RateFailure, RateProviderName } from '@cambist/contract/rate-settings';

export interface RateProvider {
  readonly name: RateProviderName;
  /** As it calls itself. */
  readonly label: string;
  /** False: it answers without one; a key may still be given to those that know keys. */
  readonly needsKey: boolean;
  /** What its rates are in terms of; ask for these too, or two providers have no unit in common. */
  readonly bases: readonly string[];
  /** Left out where its documentation names no units: then it is asked for all. */
  carries?(unit: string): boolean;
  /** Pure. */
  request(query: RateQuery): RateRequest;
  /** Pure, and never throws: what is not as documented is `malformed`. */
  read(answer: RateAnswer): Reading;
}

export interface RateQuery {
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
 * One rate as it was given, not yet checked: it may be zero, negative or absurd.
 * `rate` is `unit` for one `base`, or `base` for one `unit` where it is inverted. The base in terms
 * of itself is given only where it is not 1, which makes the whole answer invalid.
 */
export interface Quote {
  readonly unit: string;
  readonly base: string;
  /**
   * A plain decimal without exponent, each digit as the provider gave it; after the 18th decimal the
   * rest is cut off, toward zero. What is no JSON number stays visible (`null`, `"0.9"` in its
   * quotes), and what the database cannot hold is `too large` or `too small`, or its beginning with
   * `…`: none of them parses as a decimal.
   */
  readonly rate: string;
  readonly inverted: boolean;
  /** The provider's own time; an invalid date where it gave none. */
  readonly asOf: Date;
}

/** `rates` may lack units: the provider does not know them. */
export type Reading =
  | {
      readonly ok: true;
      readonly rates: readonly Quote[];
      /** There is nothing new before; null where the provider does not say. */
      readonly nextUpdateAt: Date | null;
    }
  | {
      readonly ok: false;
      readonly failure: RateFailure;
      /** The provider's own words or ours; `fetch.ts` cuts it to 300 characters and takes the key out. */
      readonly detail: string;
      /** Without an answer: `unsent`, it never got the request; `broken`, it may have. */
      readonly network?: 'unsent' | 'broken';
      /** `Retry-After` as it stood in the answer. */
      readonly retryAfter?: string;
    };
