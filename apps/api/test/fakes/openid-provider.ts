/**
 * A real OpenID provider in place of Google: `oidc-provider` with one client, accounts of a test, and pages to choose an
 * account and to consent.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import type { Cleanup } from '#test/database.ts';
import {
  readForm,
  sendChoices,
  sendPage,
  startPeerServer,
  type Account,
  type Peer,
  type PeerOptions,
} from './provider-peer.ts';

export interface OpenIdProvider extends Peer {
  /** The ID token of the next sign-in has a wrong nonce. */
  spoilNextNonce(): void;
  /** The next ID token has an invalid signature. */
  spoilNextSignature(): void;
}

const CLIENT = { client_id: 'cambist-at-google', client_secret: 'the secret that Google gave' };
const HOUR_SECONDS = 3600;
const CANCELLED = { error: 'access_denied', error_description: 'The user denied the request' };

export async function startOpenIdProvider(
  t: Cleanup,
  options: PeerOptions,
): Promise<OpenIdProvider> {
  const server = await startPeerServer(t, options.port);
  const accounts = new Map(options.accounts.map((account) => [account.subject, account]));
  const redirectUris = [...(options.redirectUris ?? [])];
  const provider = new Provider(server.url, configuration(accounts, redirectUris));
  const answer = provider.callback();
  let spoiled = false;
  let forged = false;

  server.answer = async (request, response) => {
    const url = new URL(request.url ?? '/', server.url);
    if (url.pathname.startsWith('/interaction/')) {
      await interact(provider, accounts, request, response);
      return;
    }
    if (spoiled && url.pathname === '/auth') {
      spoiled = false;
      url.searchParams.set('nonce', randomUUID());
      request.url = url.pathname + url.search;
    }
    if (forged && url.pathname === '/token') {
      forged = false;
      forgeSignature(response);
    }
    await answer(request, response);
  };

  return Object.assign(server, {
    accounts,
    environment: {
      GOOGLE_CLIENT_ID: CLIENT.client_id,
      GOOGLE_CLIENT_SECRET: CLIENT.client_secret,
      GOOGLE_ISSUER: server.url,
    },
    trust: (redirectUri: string) => void redirectUris.push(redirectUri),
    spoilNextNonce: () => void (spoiled = true),
    spoilNextSignature: () => void (forged = true),
  });
}

function configuration(
  accounts: ReadonlyMap<string, Account>,
  redirectUris: readonly string[],
): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    adapter: remember(() => ({
      ...CLIENT,
      redirect_uris: [...redirectUris],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Google puts the address and the name into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientAuthMethods: ['client_secret_post'],
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    findAccount(_ctx, subject) {
      const account = accounts.get(subject);
      if (account === undefined) return undefined;
      const { subject: sub, ...claims } = account;
      return { accountId: sub, claims: () => ({ sub, ...claims }) };
    },
    renderError(ctx, out) {
      sendPage(ctx.res, 'Error', `<p>${out.error}: ${out.error_description ?? ''}</p>`, ctx.status);
      ctx.respond = false;
    },
  };
}

/** Of the same length, so that the Content-Length stays right. */
function forgeSignature(response: ServerResponse): void {
  const end = response.end.bind(response);
  response.end = (answer: unknown) => {
    const body = JSON.parse(String(answer)) as { id_token: string };
    const [head, claims, signature = ''] = body.id_token.split('.');
    body.id_token = `${head}.${claims}.${'A'.repeat(signature.length)}`;
    return end(JSON.stringify(body));
  };
}

/** Choosing an account, then consent; both can be cancelled. */
async function interact(
  provider: Provider,
  accounts: ReadonlyMap<string, Account>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  const { prompt, params, session, uid } = interaction;
  if (request.method !== 'POST') {
    const people = [...accounts.values()].map(({ subject, name }) => ({
      value: subject,
      label: `Go on as ${name}`,
    }));
    const consent = { value: 'continue', label: 'Continue' };
    sendChoices(response, {
      title: prompt.name === 'login' ? 'Choose an account' : 'Cambist wants to know your address',
      action: `/interaction/${uid}`,
      choices: [
        ...(prompt.name === 'login' ? people : [consent]),
        { value: 'cancel', label: 'Cancel' },
      ],
    });
    return;
  }
  const choice = (await readForm(request)).get('choice') ?? '';
  if (choice === 'cancel') {
    await provider.interactionFinished(request, response, CANCELLED);
  } else if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: choice } });
  } else {
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope(String(params['scope']));
    const consent = { grantId: await grant.save() };
    const result = { consent };
    await provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: true,
    });
  }
}

/** An adapter that stores everything in memory. */
function remember(client: () => AdapterPayload): (model: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  const find = (fits: (payload: AdapterPayload) => boolean) => [...stored.values()].find(fits);
  return (model) => ({
    upsert: async (id, payload) => void stored.set(`${model}:${id}`, payload),
    find: async (id) =>
      model === 'Client' && id === CLIENT.client_id ? client() : stored.get(`${model}:${id}`),
    findByUid: async (uid) => find((payload) => payload.uid === uid && payload.kind === model),
    findByUserCode: async (code) => find(({ userCode }) => userCode === code),
    consume: async (id) => {
      const payload = stored.get(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void stored.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    },
  });
}
