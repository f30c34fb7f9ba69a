/**
 * Passkeys in the browser. The library is loaded on first use, since few visits need it. `null` means that the
 * user or the device declined.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { passkeyChallenge } from '@cambist/contract/second-factor';
import { call } from '#lib/api/client.ts';

/** Options and results of WebAuthn as JSON. */
type WebAuthnJson = Record<string, unknown>;

/** False in browsers without passkeys, and on pages that came over plain http. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/**
 * Asks the device to sign a fresh challenge. With `alone` a passkey of any account will do, even while a sign-in
 * waits for its second step.
 * @throws {ApiError} when there is no challenge
 */
export async function provePasskey({ alone = false } = {}): Promise<WebAuthnJson | null> {
  const { data } = await call(passkeyChallenge, { body: { alone } });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return declined(
    startAuthentication({
      optionsJSON: data as unknown as PublicKeyCredentialRequestOptionsJSON,
    }),
  );
}

/** Creates a passkey from the options of the API. */
export async function makePasskey(options: WebAuthnJson): Promise<WebAuthnJson | null> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return declined(
    startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    }),
  );
}

/** For privacy browsers report a refusal, a timeout and a missing passkey by the same error. */
async function declined(answer: Promise<object>): Promise<WebAuthnJson | null> {
  try {
    return { ...(await answer) };
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
