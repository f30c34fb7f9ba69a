/**
 * The interface of a provider: one request for all units, and a pure reading of the answer.
 * `fetch.ts` sends the request, `acceptance.ts` decides on the rates.
 */
import type { RateFailure, RateProviderName } from '@cambist/contract/rate-settings';

export interface RateProvider {
  readonly name: RateProviderName;
  readonly label: string;
  /** False: a key is optional or unknown. */
  readonly needsKey: boolean;
  /** The bases of its rates, which are requested too, to connect providers with each other. */
  readonly bases: readonly string[];
  /** Omitted: all units. */
  supports?(unit: string): boolean;
  /** Pure. */
  request(query: RateQuery): RateRequest;
  /** Pure, and never throws: an undocumented answer is `malformed`. */
  read(answer: RateAnswer): Reading;
}

export interface RateQuery {
  readonly key: string | null;
  /** Upper case: `USD`, `USDT`. */
  readonly units: readonly string[];
  /** The base URL in tests; null: the provider's own origin with https. */
  readonly baseUrl: string | null;
}

export interface RateRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RateAnswer {
  readonly status: number;
  readonly text: string;
  /** The requested units; others are omitted from the reading. */
  readonly units: readonly string[];
}

/**
 * One unchecked rate of an answer.
 * `rate` is `unit` for one `base`, or `base` for one `unit` where it is inverted. The base in terms
 * of itself is included only where it is not 1, which makes the whole answer invalid.
 */
export interface Quote {
  readonly unit: string;
  readonly base: string;
  /**
   * A decimal without exponent, truncated after the 18th decimal. Anything else does not parse as a
   * decimal: other JSON values (`null`, `"0.9"` with its quotes), `too large`, `too small`, or the
   * beginning of a long number with `…`.
   */
  readonly rate: string;
  readonly inverted: boolean;
  /** The provider's own time; an invalid date without one. */
  readonly asOf: Date;
}

/** `rates` lacks units that the provider does not know. */
export type Reading =
  | { readonly ok: true; readonly rates: readonly Quote[] }
  | {
      readonly ok: false;
      readonly failure: RateFailure;
      /** `fetch.ts` shortens it to 300 characters and removes the key. */
      readonly detail: string;
      /** Without an answer: `unsent`, the request did not reach the provider; `broken`, it may have. */
      readonly network?: 'unsent' | 'broken';
      readonly retryAfter?: string;
    };
