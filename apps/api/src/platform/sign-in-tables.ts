/** The tables of second factors and providers, `02_accounts.sql`. */
import type { Generated } from 'kysely';
import type { Stamp } from './columns.ts';

export interface TotpFactorsTable {
  user_id: string;
  /** The secret, sealed with a key of APP_KEY. */
  sealed: Buffer;
  /** Null until the first code has been shown: it does not count before. */
  confirmed_at: Date | null;
  /** The time step of the last code that was accepted; none of it or before counts again. */
  last_step: Generated<number>;
  created_at: Stamp;
}

export interface RecoveryCodesTable {
  user_id: string;
  code_hash: Buffer;
  used_at: Date | null;
}

export interface PasskeysTable {
  id: string;
  user_id: string;
  /** base64url, as the browser gives it. */
  credential_id: string;
  public_key: Buffer;
  counter: Generated<number>;
  transports: string[];
  name: string;
  created_at: Stamp;
  last_used_at: Date | null;
}

/** What a browser that is between the steps of a sign-in was asked, by the hash of its session. */
export interface SignInChallengesTable {
  session_hash: Buffer;
  /** Who gave the right password; null for a passkey alone. */
  user_id: string | null;
  remember: Generated<boolean>;
  webauthn_challenge: string | null;
  failures: Generated<number>;
  expires_at: Date;
}

export interface IdentitiesTable {
  provider: string;
  subject: string;
  user_id: string;
  email: string | null;
  created_at: Stamp;
  last_used_at: Date | null;
}

/** A browser on its way to a provider and back; the row goes when it is back. */
export interface ProviderFlowsTable {
  state_hash: Buffer;
  session_hash: Buffer;
  provider: string;
  /** PKCE verifier and nonce, sealed. */
  sealed: Buffer;
  intent: 'signin' | 'link';
  next: string | null;
  remember: Generated<boolean>;
  user_id: string | null;
  expires_at: Date;
}
