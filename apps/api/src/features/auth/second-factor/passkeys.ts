/**
 * Passkeys (WebAuthn). Each challenge belongs to the session that asked for it and is used up by the first
 * answer, right or wrong. Only the library verifies what the browser sends; what it cannot parse is not
 * accepted.
 */
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Config } from '#app/config.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import type { Deps } from '#platform/deps.ts';
import { hashSessionId, type Session } from '#platform/security/sessions.ts';
import { takePasskeyChallenge, upsertPasskeyChallenge } from './challenge-store.ts';
import * as store from './store.ts';

/** JSON of the browser's WebAuthn calls. */
export type WebAuthnJson = Record<string, unknown>;

/** Loaded on first use: it is a tenth of all that a start would read. */
const webauthn = () => import('@simplewebauthn/server');

type PasskeyDeps = Pick<Deps, 'config' | 'clock' | 'db'>;

/** ES256, EdDSA and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-7, -8, -257];
const CHALLENGE_LIFETIME_MS = 10 * MINUTE;
/** How long the browser keeps its dialog open. */
const DIALOG_MS = 5 * MINUTE;

/** The domain that passkeys belong to: SESSION_DOMAIN where it covers the frontend, so that subdomains can change. */
function relyingParty({ session, frontendUrl }: Config): string {
  const host = new URL(frontendUrl).hostname;
  const domain = session.domain?.slice(1);
  return domain !== undefined && `.${host}`.endsWith(`.${domain}`) ? domain : host;
}

/** Options for `navigator.credentials.create`. */
export async function registrationOptions(
  deps: PasskeyDeps,
  session: Session,
  { siteName, user }: { siteName: string; user: { id: Id; email: string; name: string } },
): Promise<WebAuthnJson> {
  const known = await store.listPasskeys(deps.db, user.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: relyingParty(deps.config),
    userID: new Uint8Array(uuidBytes(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    timeout: DIALOG_MS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  await storeChallenge(deps, session, options.challenge);
  return { ...options };
}

/** The new credential; null if the answer is not accepted. */
export async function checkRegistration(
  deps: PasskeyDeps,
  session: Session,
  passkey: WebAuthnJson,
): Promise<WebAuthnCredential | null> {
  const expectedChallenge = await takeChallenge(deps, session);
  if (expectedChallenge === null) return null;
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: deps.config.frontendUrl,
      expectedRPID: relyingParty(deps.config),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo?.credential ?? null;
  } catch {
    return null;
  }
}

/**
 * Options for `navigator.credentials.get`. Without `userId` any passkey of this site may answer.
 * `verified` demands that its device verifies its user.
 */
export async function authenticationOptions(
  deps: PasskeyDeps,
  session: Session,
  { userId, verified }: { readonly userId: Id | null; readonly verified: boolean },
): Promise<WebAuthnJson> {
  const known = userId === null ? [] : await store.listPasskeys(deps.db, userId);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config),
    timeout: DIALOG_MS,
    userVerification: verified ? 'required' : 'preferred',
    allowCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
  });
  await storeChallenge(deps, session, options.challenge);
  return { ...options };
}

/**
 * The passkey that signed this session's challenge; null if the answer is not accepted. `verified` demands
 * that its device has verified its user, `userId` that it belongs to this user.
 */
export async function checkPasskey(
  deps: PasskeyDeps,
  session: Session,
  passkey: WebAuthnJson,
  { userId, verified }: { readonly userId: Id | null; readonly verified: boolean },
): Promise<store.PasskeyRow | null> {
  const expectedChallenge = await takeChallenge(deps, session);
  const { id: credentialId } = passkey;
  if (expectedChallenge === null || typeof credentialId !== 'string') return null;
  const known = await store.findPasskey(deps.db, credentialId);
  if (!known || (userId !== null && known.user_id !== userId)) return null;
  const newCounter = await verifiedCounter(deps.config, passkey, known, {
    expectedChallenge,
    verified,
  });
  if (newCounter === null) return null;
  const taken = await store.takePasskeyUse(deps.db, known, newCounter, deps.clock());
  return taken ? known : null;
}

async function verifiedCounter(
  config: Config,
  passkey: WebAuthnJson,
  known: store.PasskeyRow,
  { expectedChallenge, verified }: { expectedChallenge: string; verified: boolean },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const answer = await verifyAuthenticationResponse({
      response: passkey as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: config.frontendUrl,
      expectedRPID: relyingParty(config),
      requireUserVerification: verified,
      credential: {
        id: known.credential_id,
        publicKey: new Uint8Array(known.public_key),
        counter: known.counter,
        transports: known.transports,
      },
    });
    return answer.verified ? answer.authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

async function storeChallenge(
  { db, clock }: PasskeyDeps,
  session: Session,
  challenge: string,
): Promise<void> {
  const now = clock();
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFETIME_MS);
  await upsertPasskeyChallenge(db, hashSessionId(session.id), challenge, { now, expiresAt });
}

function takeChallenge({ db, clock }: PasskeyDeps, session: Session): Promise<string | null> {
  return takePasskeyChallenge(db, hashSessionId(session.id), clock());
}

function uuidBytes(id: Id): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
