/** The clients of the two providers: Google by OpenID Connect, Facebook by OAuth 2.0 and its Graph API. */
import { providers as names, type ProviderName } from '@cambist/contract/providers';
import { createHash, createHmac } from 'node:crypto';
import * as oidc from 'openid-client';
import type { Config } from '#app/config.ts';
import { HOUR } from '#kernel/clock.ts';
import { readSecret, SealedOtherwise } from '#features/content/settings/secrets.ts';
import { read } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';

export interface ProviderProfile {
  /** The provider's id of the user, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider knows that the address belongs to the user now. */
  readonly emailVerified: boolean;
  readonly name: string;
}

/** The secrets of one OAuth flow. */
export interface FlowSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface ProviderClient {
  authorizationUrl(secrets: FlowSecrets, redirectUri: string): Promise<URL>;
  /** Exchanges the code in the query of the callback's `url`. */
  fetchProfile(url: URL, secrets: FlowSecrets): Promise<ProviderProfile>;
}

type ClientDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'published'>;
type Credentials = NonNullable<Config['providers']['google']>;

export const providerLabels: Readonly<Record<ProviderName, string>> = {
  google: 'Google',
  facebook: 'Facebook',
};

const TIMEOUT_SECONDS = 4;
/** How long the discovered endpoints and keys of Google are cached. */
const DISCOVERED_FOR_MS = HOUR;
const FACEBOOK_VERSION = 'v24.0';
const MAX_NAME = 100;

/** From the environment, else from the settings; null when the provider is not configured. */
async function credentialsOf(
  deps: ClientDeps,
  provider: ProviderName,
): Promise<Credentials | null> {
  const given = deps.config.providers[provider];
  if (given !== null) return given;
  const { enabled, client_id: id } = (await read(deps, 'sign-in-providers'))[provider];
  if (!enabled || id === '') return null;
  const secret = await readSecret(deps, 'sign-in-providers', `${provider}_client_secret`);
  return secret === null ? null : { id, secret };
}

/** The configured providers, in the order of their buttons; without those whose secret cannot be unsealed. */
export async function offeredProviders(deps: ClientDeps): Promise<ProviderName[]> {
  const found = await Promise.all(
    names.map((name) =>
      credentialsOf(deps, name).catch((error: unknown) => {
        if (error instanceof SealedOtherwise) return null;
        throw error;
      }),
    ),
  );
  return names.filter((_, index) => found[index] !== null);
}

export interface Providers {
  /** Null when the provider is not configured. */
  open(provider: ProviderName): Promise<ProviderClient | null>;
}

export function openProviders(deps: ClientDeps): Providers {
  let discovered: { key: string; until: number; config: oidc.Configuration } | null = null;

  async function google(credentials: Credentials): Promise<oidc.Configuration> {
    const key = createHash('sha256').update(JSON.stringify(credentials)).digest('hex');
    if (discovered?.key === key && discovered.until > Date.now()) return discovered.config;
    const config = await discover(deps.config.providers.googleIssuer, credentials);
    discovered = { key, until: Date.now() + DISCOVERED_FOR_MS, config };
    return config;
  }

  return {
    async open(provider) {
      const credentials = await credentialsOf(deps, provider);
      if (credentials === null) return null;
      return provider === 'google'
        ? googleClient(() => google(credentials))
        : facebookClient(deps.config, credentials);
    },
  };
}

class GraphRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The Graph answered ${status}.`);
    this.name = 'GraphRefused';
    this.status = status;
  }
}

/** Whether trying later may help: the provider did not answer, or with a server error. */
export function isProviderDown(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (error instanceof GraphRefused) return error.status >= 500;
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof oidc.ClientError)) return false;
  if (error.code === 'OAUTH_TIMEOUT') return true;
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** For the log: the provider's reason, without any part of a token. */
export function reasonOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
    return [error.error, error.error_description].filter(Boolean).join(': ');
  }
  if (!(error instanceof Error)) return 'unknown';
  if (!(error.cause instanceof Response)) return error.message;
  return `${error.message} (${error.cause.status})`;
}

async function discover(issuer: string, { id, secret }: Credentials) {
  return oidc.discovery(new URL(issuer), id, {}, oidc.ClientSecretPost(secret), {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The token comes over TLS from its issuer, but verifying its signature costs little.
      oidc.enableNonRepudiationChecks,
      ...(insecure(issuer) ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

function googleClient(discovered: () => Promise<oidc.Configuration>): ProviderClient {
  return {
    async authorizationUrl({ state, verifier, nonce }, redirectUri) {
      return oidc.buildAuthorizationUrl(await discovered(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async fetchProfile(url, { state, verifier, nonce }) {
      const answer = await oidc.authorizationCodeGrant(await discovered(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = answer.claims();
      if (claims === undefined) throw new Error('There is no ID token.');
      return {
        subject: claims.sub,
        email: text(claims['email']),
        emailVerified: isEmailVerified(claims),
        name: text(claims['name']) ?? '',
      };
    },
  };
}

function facebookClient(
  { providers: { facebookUrl, facebookGraphUrl } }: Config,
  { id, secret }: Credentials,
): ProviderClient {
  const config = new oidc.Configuration(
    {
      issuer: facebookUrl,
      authorization_endpoint: `${facebookUrl}/${FACEBOOK_VERSION}/dialog/oauth`,
      token_endpoint: `${facebookGraphUrl}/${FACEBOOK_VERSION}/oauth/access_token`,
    },
    id,
    {},
    oidc.ClientSecretPost(secret),
  );
  config.timeout = TIMEOUT_SECONDS;
  if (insecure(facebookUrl) || insecure(facebookGraphUrl)) oidc.allowInsecureRequests(config);

  return {
    async authorizationUrl({ state, verifier }, redirectUri) {
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'public_profile,email',
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async fetchProfile(url, { state, verifier }) {
      const { access_token: token } = await oidc.authorizationCodeGrant(config, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      });
      const meUrl = new URL(`${facebookGraphUrl}/${FACEBOOK_VERSION}/me`);
      meUrl.searchParams.set('fields', 'id,name,email');
      // Proves that the caller knows the secret, so that a stolen token is useless.
      meUrl.searchParams.set('appsecret_proof', appSecretProof(token, secret));
      const answer = await oidc.fetchProtectedResource(config, token, meUrl, 'GET');
      if (!answer.ok) throw new GraphRefused(answer.status);
      const me: unknown = await answer.json();
      const { id: subject, email, name } = isRecord(me) ? me : {};
      if (typeof subject !== 'string' || subject === '')
        throw new Error('The Graph returned no id.');
      // Facebook does not say whether it has verified the address.
      return { subject, email: text(email), emailVerified: false, name: text(name) ?? '' };
    },
  };
}

/**
 * Google verifies addresses of other hosts only once, and their owner may have changed since; it knows the
 * owners of its own addresses and of those of organisations that it hosts (`hd`).
 * @see https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
export function isEmailVerified({
  email,
  email_verified: verified,
  hd,
}: Readonly<Record<string, unknown>>): boolean {
  if (verified !== true || typeof email !== 'string') return false;
  return email.toLowerCase().endsWith('@gmail.com') || (typeof hd === 'string' && hd !== '');
}

function appSecretProof(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('hex');
}

/** Only the tests' providers use plain http; the configuration allows it nowhere else. */
function insecure(address: string): boolean {
  return address.startsWith('http:');
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== ''
    ? value.trim().slice(0, MAX_NAME * 3)
    : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
