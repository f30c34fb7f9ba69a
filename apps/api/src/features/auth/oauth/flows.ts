/**
 * OAuth flows: sending a browser to a provider and receiving its callback. A flow works once, for ten
 * minutes, and only in the browser that started it: it is found by the hashes of state and session, with
 * the PKCE verifier and the nonce sealed (RFC 9700, 2.1; OpenID Connect Core, 3.1.2.1).
 */
import type { ProviderName, ProviderTrouble } from '@cambist/contract/providers';
import { createHash } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Deps } from '#platform/deps.ts';
import { isFresh } from '#platform/http/guards.ts';
import { hashSessionId, type Session } from '#platform/security/sessions.ts';
import type { AuthDeps } from '../sessions/sessions.ts';
import { nextPath } from '../sign-in/next-path.ts';
import {
  isProviderDown,
  reasonOf,
  type FlowSecrets,
  type ProviderProfile,
  type Providers,
} from './clients.ts';
import * as store from './store.ts';

export type FlowDeps = AuthDeps & Pick<Deps, 'log'>;

/** What the flow is for, stored until the callback. */
export interface Flow {
  readonly intent: 'signin' | 'link';
  /** A path of the frontend. */
  readonly next: string | null;
  readonly remember: boolean;
  /** The user to whose account the identity is to be linked. */
  readonly userId: Id | null;
}

export interface FlowRequest {
  readonly provider: ProviderName;
  readonly intent: Flow['intent'];
  readonly next: string | undefined;
  readonly remember: boolean;
}

/** The query of the provider's callback. */
export interface Callback {
  readonly provider: ProviderName;
  /** The raw query, with its question mark. */
  readonly search: string;
  readonly state: string | undefined;
  readonly error: string | undefined;
}

const LIFETIME_MS = 10 * MINUTE;
const SEAL = 'oauth flow';

/** The provider's address to redirect to, or why the flow cannot start. */
export async function startFlow(
  deps: FlowDeps,
  providers: Providers,
  session: Session,
  { provider, intent, next, remember }: FlowRequest,
): Promise<{ address: URL } | { flow: Flow; trouble: ProviderTrouble }> {
  const userId = intent === 'link' ? (session.member?.actor.id ?? null) : null;
  const flow: Flow = { intent, next: nextPath(next, deps.config.frontendUrl), remember, userId };
  const now = deps.clock();
  if (intent === 'link' && !isFresh(session, now)) {
    return { flow, trouble: 'confirmation_required' };
  }
  const state = randomState();
  const secrets: FlowSecrets = { state, verifier: randomPKCECodeVerifier(), nonce: randomNonce() };
  try {
    const client = await providers.open(provider);
    if (client === null) return { flow, trouble: 'unavailable' };
    const address = await client.authorizationUrl(secrets, redirectUri(deps, provider));
    await store.insertFlow(deps.db, {
      state_hash: hashOf(state),
      session_hash: hashSessionId(session.id),
      provider,
      sealed: deps.keys.seal(SEAL, JSON.stringify(secrets), state),
      intent,
      next: flow.next,
      remember,
      user_id: userId,
      expires_at: new Date(now.getTime() + LIFETIME_MS),
    });
    return { address };
  } catch (error) {
    return { flow, trouble: troubleOf(deps, provider, error) };
  }
}

/** The profile that the provider returns, or why the flow failed. The first callback ends the flow. */
export async function finishFlow(
  deps: FlowDeps,
  providers: Providers,
  session: Session,
  { provider, search, state, error: refusal }: Callback,
): Promise<
  { flow: Flow; profile: ProviderProfile } | { flow: Flow | null; trouble: ProviderTrouble }
> {
  const key = {
    state_hash: hashOf(state ?? ''),
    session_hash: hashSessionId(session.id),
    provider,
  };
  const row = state && (await store.takeFlow(deps.db, key, deps.clock()));
  if (!state || !row) return { flow: null, trouble: 'expired' };
  const flow: Flow = { ...row, userId: row.user_id };
  // RFC 6749, 4.1.2.1; Facebook uses the same code.
  if (refusal === 'access_denied') return { flow, trouble: 'cancelled' };
  try {
    const client = await providers.open(provider);
    if (client === null) return { flow, trouble: 'unavailable' };
    const url = new URL(`${redirectUri(deps, provider)}${search}`);
    const secrets = JSON.parse(deps.keys.open(SEAL, row.sealed, state)) as FlowSecrets;
    return { flow, profile: await client.fetchProfile(url, secrets) };
  } catch (error) {
    return { flow, trouble: troubleOf(deps, provider, error) };
  }
}

function redirectUri({ config }: Pick<Deps, 'config'>, provider: ProviderName): string {
  return `${config.appUrl}/api/auth/${provider}/callback`;
}

/** The log gets the provider's reason; the user learns only whether trying later helps. */
function troubleOf(
  { log }: Pick<Deps, 'log'>,
  provider: ProviderName,
  error: unknown,
): ProviderTrouble {
  log.warn({ provider, reason: reasonOf(error) }, 'Sign-in with a provider failed.');
  return isProviderDown(error) ? 'unavailable' : 'failed';
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
