/**
 * An error that is shown to the caller: a status, a code for programs and a message for people. Anything else
 * that is thrown is a defect.
 */
import type { Conflict, RateChange } from '@cambist/contract/wire';

export interface RefusalDetail {
  /** Messages by field, for 422. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** The change of the rate that the caller has to confirm. */
  readonly rateChange?: RateChange;
  /** Who saved the record meanwhile. */
  readonly conflict?: Conflict;
  readonly retryAfterSeconds?: number;
  /** The stored answer to an earlier request with the same Idempotency-Key. */
  readonly replayed?: true;
  /** For the log only; the caller never sees it. */
  readonly internal?: string;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: RefusalDetail;

  constructor(status: number, code: string, message: string, detail: RefusalDetail = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** 422 with one message on each named field. */
export function invalid(errors: Readonly<Record<string, string>>): Refusal {
  const messages = Object.values(errors);
  const more = messages.length - 1;
  const suffix = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : '';
  const byField = Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [field, [text]]),
  );
  return new Refusal(
    422,
    'validation_failed',
    (messages[0] ?? 'The given data was invalid.') + suffix,
    {
      errors: byField,
    },
  );
}

/** 401 without a session, or when it ended meanwhile. */
export function unauthenticated(): Refusal {
  return new Refusal(401, 'unauthenticated', 'Unauthenticated.');
}

/** 404 also for what the caller may not see. */
export function notFound(): Refusal {
  return new Refusal(404, 'not_found', 'Not found.');
}

/** 409 when the record changed since the caller read it. */
export function versionConflict(conflict?: Conflict): Refusal {
  return new Refusal(
    409,
    'version_conflict',
    'This has changed since you opened it. Look again, then decide.',
    conflict && { conflict },
  );
}
