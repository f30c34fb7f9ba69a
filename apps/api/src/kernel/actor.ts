/** The signed-in user, as every feature sees them. */
import type { Id } from './id.ts';

export interface Actor {
  readonly id: Id;
  readonly role: 'user' | 'admin';
  readonly permissions: readonly string[];
  readonly name: string;
}

/** Where a request came from, for the audit log. */
export interface Origin {
  readonly ip: string;
  readonly requestId: string;
}
