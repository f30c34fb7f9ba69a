/**
 * The way of a browser to a provider and back. What it needs on its return is
 * kept for ten minutes, good once, and only in the browser that set out: state
 * and session lead to it by their hashes, PKCE's verifier and the nonce are
 * sealed (RFC 9700, 2.1; OpenID Connect Core, 3.1.2.1).
 */
import type { ProviderName, ProviderTrouble } from '@cambist/contract/providers';
import { createHash } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Deps } from '#platform/deps.ts';
import { isFresh } from '#platform/http/guards.ts';
import { hashSessionId, type Session } from '#platform/security/sessions.ts';
import type { AuthDeps } from '../sessions/member-sessions.ts';
import { nextPath } from '../sign-in/next-path.ts';
import {
  isProviderDown,
  reasonOf,
  type Journey,
  type Providers,
  type Voucher,
} from './provider-clients.ts';
import * as store from './provider-store.ts';

export type JourneyDeps = AuthDeps & Pick<Deps, 'log'>;
export type Intent = 'signin' | 'link';

/** What a page asks for when it leads somebody to a provider. */
export interface Departure {
  readonly provider: ProviderName;
  readonly intent: Intent;
  readonly next: string | undefined;
  readonly remember: boolean;
}

/** The query that the provider has led the browser back with. */
export interface Return {
  readonly provider: ProviderName;
  /** With its question mark, as it came. */
  readonly search: string;
  readonly state: string | undefined;
  readonly error: string | undefined;
}

/** What the journey was for. */
export interface Errand {
  readonly intent: Intent;
  readonly next: string | null;
  readonly remember: boolean;
  /** Whose account the provider is to be added to. */
  readonly userId: Id | null;
}

export type Outcome =
  | { readonly errand: Errand; readonly voucher: Voucher }
  | { readonly errand: Errand | null; readonly trouble: ProviderTrouble };

const LIFETIME_MS = 10 * MINUTE;
const SEAL = 'provider journey';

/** The provider's address to lead the browser to, or why it cannot be led there. */
export async function setOut(
  deps: JourneyDeps,
  providers: Providers,
  session: Session,
  { provider, intent, next, remember }: Departure,
): Promise<{ address: URL } | { errand: Errand; trouble: ProviderTrouble }> {
  const errand: Errand = {
    intent,
    next: nextPath(next, deps.config.frontendUrl),
    remember,
    userId: intent === 'link' ? (session.member?.actor.id ?? null) : null,
  };
  const now = deps.clock();
  if (intent === 'link' && !isFresh(session, now)) {
    return { errand, trouble: 'confirmation_required' };
  }
  const journey: Journey = {
    state: randomState(),
    verifier: randomPKCECodeVerifier(),
    nonce: randomNonce(),
  };
  try {
    const client = await providers.open(provider);
    if (client === null) return { errand, trouble: 'unavailable' };
    const address = await client.address(journey, redirectUri(deps, provider));
    await keep(deps, session, { provider, errand, journey, now });
    return { address };
  } catch (error) {
    return { errand, trouble: troubleOf(deps, provider, error) };
  }
}

/** Whom the provider vouches for, or why it came to nothing. A journey ends with its first return. */
export async function comeBack(
  deps: JourneyDeps,
  providers: Providers,
  session: Session,
  { provider, search, state, error: refusal }: Return,
): Promise<Outcome> {
  const flow =
    state === undefined
      ? undefined
      : await store.takeFlow(
          deps.db,
          {
            state_hash: hashOf(state),
            session_hash: hashSessionId(session.id),
            provider,
          },
          deps.clock(),
        );
  if (state === undefined || flow === undefined) return { errand: null, trouble: 'expired' };
  const errand: Errand = { ...flow, userId: flow.user_id };
  // RFC 6749, 4.1.2.1; Facebook uses the same word.
  if (refusal === 'access_denied') return { errand, trouble: 'cancelled' };
  try {
    const client = await providers.open(provider);
    if (client === null) return { errand, trouble: 'unavailable' };
    const url = new URL(`${redirectUri(deps, provider)}${search}`);
    const journey = openJourney(deps, state, flow.sealed);
    return { errand, voucher: await client.voucher(url, journey) };
  } catch (error) {
    return { errand, trouble: troubleOf(deps, provider, error) };
  }
}

function redirectUri({ config }: Pick<Deps, 'config'>, provider: ProviderName): string {
  return `${config.appUrl}/api/auth/${provider}/callback`;
}

interface Begun {
  readonly provider: ProviderName;
  readonly errand: Errand;
  readonly journey: Journey;
  readonly now: Date;
}

async function keep(
  { db, keys }: JourneyDeps,
  session: Session,
  { provider, errand, journey: { state, verifier, nonce }, now }: Begun,
): Promise<void> {
  await store.insertFlow(db, {
    state_hash: hashOf(state),
    session_hash: hashSessionId(session.id),
    provider,
    sealed: keys.seal(SEAL, JSON.stringify({ verifier, nonce }), state),
    intent: errand.intent,
    next: errand.next,
    remember: errand.remember,
    user_id: errand.userId,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  });
}

function openJourney({ keys }: Pick<Deps, 'keys'>, state: string, sealed: Buffer): Journey {
  const { verifier, nonce } = JSON.parse(keys.open(SEAL, sealed, state)) as Omit<Journey, 'state'>;
  return { state, verifier, nonce };
}

/** The log gets the provider's words; the person hears only whether it helps to wait. */
function troubleOf(
  { log }: Pick<Deps, 'log'>,
  provider: ProviderName,
  error: unknown,
): ProviderTrouble {
  log.warn({ provider, reason: reasonOf(error) }, 'Coming through a provider did not work.');
  return isProviderDown(error) ? 'unavailable' : 'failed';
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
