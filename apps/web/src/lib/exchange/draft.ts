/**
 * What a person has entered on the way to an exchange, stored for the tab so
 * that a reload or a lost answer costs nothing. The order's idempotency key
 * lies here before the order is sent: whatever happens then, sending it again
 * cannot make a second exchange.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createExchange } from '@cambist/contract/exchanges';
import type { Quote } from '@cambist/contract/quotes';

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

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const storageKey = 'exchange-draft';
/** Raised when the shape changes: an older draft is then forgotten. */
const format = 1;

/** The draft of this user; null when there is none, or it is someone else's or unreadable. */
export function readDraft(storage: DraftStorage | null, userId: string): Draft | null {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(storageKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { format: found, draft } = stored as { format?: unknown; draft?: Draft };
    return found === format && draft?.user_id === userId ? draft : null;
  } catch {
    return null;
  }
}

/** False when this browser keeps nothing, so that the caller does not rely on it. */
export function writeDraft(storage: DraftStorage | null, draft: Draft): boolean {
  try {
    storage?.setItem(storageKey, JSON.stringify({ format, draft }));
    return storage !== null;
  } catch {
    return false;
  }
}

export function forgetDraft(storage: DraftStorage | null): void {
  try {
    storage?.removeItem(storageKey);
  } catch {
    // Storage is unavailable: nothing to remove.
  }
}

/** The tab's storage; null where the browser forbids it. */
export function tabStorage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** One word for the amounts in an address, to tell a reload from a new arrival. */
export function entryOf(query: Pick<URLSearchParams, 'get'>): string {
  return ['pair', 'side', 'amount'].map((name) => query.get(name) ?? '').join('|');
}
