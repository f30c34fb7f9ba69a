/**
 * The two providers as their protocols have them: Google by OpenID Connect,
 * Facebook by OAuth 2.0 and its Graph. `openid-client` does the protocol; here
 * stands what each calls its parts. What comes back is a person as the provider
 * knows them, and whether the address is known to be theirs.
 */
import { providers as names, type ProviderName } from '@cambist/contract/providers';
import { createHash, createHmac } from 'node:crypto';
import * as oidc from 'openid-client';
import type { Config } from '#app/config.ts';
import { HOUR } from '#kernel/clock.ts';
import { read, readSecret, SealedOtherwise } from '#features/content/settings/settings.ts';
import type { Deps } from '#platform/deps.ts';

export interface Voucher {
  /** What the provider calls the person, always the same. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider is sure that the address is the person's now. */
  readonly emailVerified: boolean;
  readonly name: string;
}

/** The secrets of one journey to a provider and back. */
export interface Journey {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface ProviderClient {
  /** Where the browser is led. */
  address(journey: Journey, redirectUri: string): Promise<URL>;
  /** What the provider says of whoever came back to `url`. */
  voucher(url: URL, journey: Journey): Promise<Voucher>;
}

type ClientDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'published'>;
type Credentials = NonNullable<Config['providers']['google']>;

export const providerLabels: Readonly<Record<ProviderName, string>> = {
  google: 'Google',
  facebook: 'Facebook',
};

const TIMEOUT_SECONDS = 4;
/** Google's addresses and keys change seldom; a new start is not needed when they do. */
const DISCOVERED_FOR_MS = HOUR;
const FACEBOOK_VERSION = 'v24.0';
const MAX_NAME = 100;

/** What this service is known by there: of the environment, else of the settings; null when it is not set up. */
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

/** Those that are set up, in the order of their buttons. One whose secret does not open lets nobody in. */
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
  /** Null when the provider is not set up. */
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

/** Whether the provider did not answer, or not as one that works: worth trying again later. */
export function isProviderDown(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (error instanceof GraphRefused) return error.status >= 500;
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof oidc.ClientError)) return false;
  if (error.code === 'OAUTH_TIMEOUT') return true;
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** Who looks after the desk reads this: the provider's words and no part of a token. */
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
      // The token comes by TLS from its issuer, yet a signature costs little.
      oidc.enableNonRepudiationChecks,
      ...(insecure(issuer) ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

function googleClient(discovered: () => Promise<oidc.Configuration>): ProviderClient {
  return {
    async address({ state, verifier, nonce }, redirectUri) {
      return oidc.buildAuthorizationUrl(await discovered(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async voucher(url, { state, verifier, nonce }) {
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
        emailVerified: isVouchedFor(claims),
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
    async address({ state, verifier }, redirectUri) {
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'public_profile,email',
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async voucher(url, { state, verifier }) {
      const { access_token: token } = await oidc.authorizationCodeGrant(config, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      });
      const me = new URL(`${facebookGraphUrl}/${FACEBOOK_VERSION}/me`);
      me.searchParams.set('fields', 'id,name,email');
      // Shows that the token is used by who knows the secret, and not by a thief of tokens.
      me.searchParams.set('appsecret_proof', appSecretProof(token, secret));
      const answer = await oidc.fetchProtectedResource(config, token, me, 'GET');
      if (!answer.ok) throw new GraphRefused(answer.status);
      const person: unknown = await answer.json();
      const { id: subject, email, name } = isRecord(person) ? person : {};
      if (typeof subject !== 'string' || subject === '') throw new Error('The Graph names nobody.');
      // Facebook does not say whether an address is the person's, so it counts as unproved.
      return { subject, email: text(email), emailVerified: false, name: text(name) ?? '' };
    },
  };
}

/**
 * Google proves other hosts' addresses once, and they may have another owner since; it is sure of
 * its own, and of those of organisations that it runs (`hd`).
 * @see https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
export function isVouchedFor({
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

/** Plain http is what the tests' own providers speak; the configuration allows it nowhere else. */
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
