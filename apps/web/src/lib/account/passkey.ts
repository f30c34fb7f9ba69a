/**
 * The browser's side of passkeys. The library comes only when it is used: few
 * visits need it. `null` stands for "the person or the device declined".
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { passkeyChallenge } from '@cambist/contract/second-factor';
import { call } from '#lib/api/client.ts';

/** What WebAuthn calls take and give, as JSON. */
type WebAuthnJson = Record<string, unknown>;

/** Passkeys exist only in browsers that know them, and there only over https or on this machine. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/**
 * Proves a passkey against a fresh challenge. Throws ApiError when there is none to be had. `alone`:
 * of any account, even while a sign-in waits for its second step.
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

/** Makes a passkey for the options that the service gave. */
export async function makePasskey(options: WebAuthnJson): Promise<WebAuthnJson | null> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return declined(
    startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    }),
  );
}

/** Browsers tell a refusal, a time-out and a missing passkey apart for nobody: all are errors of WebAuthn. */
async function declined(answer: Promise<object>): Promise<WebAuthnJson | null> {
  try {
    return { ...(await answer) };
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
