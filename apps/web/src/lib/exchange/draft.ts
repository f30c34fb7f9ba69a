/**
 * What a person has entered on the way to an exchange, stored for the tab so
 * that a reload or a lost answer costs nothing. The order's idempotency key
 * lies here before the order is sent: whatever happens then, sending it again
 * cannot make a second exchange.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createExchange } from '@cambist/contract/exchanges';
import type { Quote } from '@cambist/contract/quotes';
import { readCopy, removeCopy, storeCopy } from '#lib/browser/tab-copy.ts';

export interface Attempt {
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** Sent again exactly as it was: the key allows no other body. */
  readonly body: BodyOf<typeof createExchange>;
}

export interface Answers {
  readonly payout_fields: Readonly<Record<string, string>>;
  readonly sender_fields: Readonly<Record<string, string>>;
}

export interface Draft {
  readonly user_id: string;
  /** The amounts in the address that this draft began from or was last sent to. */
  readonly entry: string;
  readonly pair: string;
  readonly side: 'send' | 'receive';
  readonly amount: string;
  readonly answers: Answers;
  readonly terms_accepted: boolean;
  readonly quote: Quote | null;
  readonly clock_offset_ms: number;
  readonly attempt: Attempt | null;
}

const name = 'exchange-draft';
/** Raised when the shape changes: an older draft is then forgotten. */
const format = 1;

/** The draft of this user; null when there is none, or it is someone else's. */
export function readDraft(userId: string): Draft | null {
  const copy = readCopy(name) as { format?: unknown; draft?: Draft } | undefined;
  return copy?.format === format && copy.draft?.user_id === userId ? copy.draft : null;
}

export function storeDraft(draft: Draft): void {
  storeCopy(name, { format, draft });
}

export function removeDraft(): void {
  removeCopy(name);
}

/** One word for the amounts in an address, to tell a reload from a new arrival. */
export function entryOf(query: Pick<URLSearchParams, 'get'>): string {
  return ['pair', 'side', 'amount'].map((name) => query.get(name) ?? '').join('|');
}
