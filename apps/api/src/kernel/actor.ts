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

/** Who does something, and where the request for it came from; null where no request did. */
export interface By {
  readonly actor: Actor;
  readonly origin: Origin | null;
}

/** The same where the system may do it by itself. */
export interface ByAnyone {
  readonly actor: Actor | 'system';
  readonly origin: Origin | null;
}

export const bySystem: ByAnyone = { actor: 'system', origin: null };
