/**
 * A fake of Facebook's documented login: the dialog, the exchange of a code, and `/me` with the proof of the app's
 * secret. Errors have Facebook's own shape, not that of OAuth.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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

const APP = { id: '1357924680', secret: '0123456789abcdef0123456789abcdef' };
const VERSION = '/v24.0';
const SIXTY_DAYS_SECONDS = 5_184_000;

/** What a code stands for. */
interface Promised {
  readonly subject: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

/** An error of the Graph. */
class GraphError extends Error {
  readonly type: string;
  readonly code: number;

  constructor(message: string, code: number, type = 'OAuthException') {
    super(message);
    this.code = code;
    this.type = type;
  }
}

export async function startFacebook(t: Cleanup, options: PeerOptions): Promise<Peer> {
  const server = await startPeerServer(t, options.port);
  const accounts = new Map(options.accounts.map((account) => [account.subject, account]));
  const redirectUris = new Set(options.redirectUris);
  const codes = new Map<string, Promised>();
  const tokens = new Map<string, string>();

  server.answer = async (request, response) => {
    const url = new URL(request.url ?? '/', server.url);
    const query = url.searchParams;
    if (url.pathname === `${VERSION}/dialog/oauth`) {
      const refusal = complaint(query, redirectUris);
      if (refusal !== null) sendPage(response, 'Error', `<p>${refusal}</p>`, 400);
      else if (request.method === 'POST') {
        leave(response, query, codes, (await readForm(request)).get('choice') ?? '');
      } else askWho(response, url, accounts);
    } else if (url.pathname === `${VERSION}/oauth/access_token`) {
      const form = request.method === 'POST' ? await readForm(request) : query;
      answerJson(response, () => exchange(form, codes, tokens));
    } else if (url.pathname === `${VERSION}/me`) {
      answerJson(response, () => me(accounts, tokens, query, bearer(request) ?? ''));
    } else {
      answerJson(response, () => {
        throw new GraphError('Unknown path components', 2500);
      });
    }
  };

  return Object.assign(server, {
    accounts,
    environment: {
      FACEBOOK_CLIENT_ID: APP.id,
      FACEBOOK_CLIENT_SECRET: APP.secret,
      FACEBOOK_URL: server.url,
      FACEBOOK_GRAPH_URL: server.url,
    },
    trust: (redirectUri: string) => void redirectUris.add(redirectUri),
  });
}

/** Shown instead of redirecting to an unknown address. */
function complaint(query: URLSearchParams, redirectUris: ReadonlySet<string>): string | null {
  if (query.get('client_id') !== APP.id) return 'Invalid App ID';
  if (!redirectUris.has(query.get('redirect_uri') ?? '')) return 'URL Blocked';
  if ((query.get('response_type') ?? 'code') !== 'code') return 'Unknown response type';
  if (!query.get('state')) return 'This test insists on a state';
  const pkce = query.get('code_challenge_method') === 'S256' && query.get('code_challenge');
  return pkce ? null : 'This test insists on PKCE with S256';
}

function askWho(response: ServerResponse, url: URL, accounts: ReadonlyMap<string, Account>): void {
  sendChoices(response, {
    title: 'Log in with Facebook',
    action: url.pathname + url.search,
    choices: [
      ...[...accounts.values()].map(({ subject, name }) => ({
        value: subject,
        label: `Go on as ${name}`,
      })),
      { value: 'cancel', label: 'Cancel' },
    ],
  });
}

/** Redirects with a code, or with Facebook's error for a cancelled dialog. */
function leave(
  response: ServerResponse,
  query: URLSearchParams,
  codes: Map<string, Promised>,
  choice: string,
): void {
  const redirectUri = query.get('redirect_uri') ?? '';
  const back = new URL(redirectUri);
  if (choice === 'cancel') {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_code', '200');
    back.searchParams.set('error_description', 'Permissions error');
    back.searchParams.set('error_reason', 'user_denied');
  } else {
    const code = `AQ${randomBytes(96).toString('base64url')}`;
    codes.set(code, {
      subject: choice,
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
    });
    back.searchParams.set('code', code);
  }
  back.searchParams.set('state', query.get('state') ?? '');
  // Facebook's own addition, which browsers carry on to wherever they are led next.
  back.hash = '_=_';
  response.writeHead(302, { location: back.href }).end();
}

function exchange(
  form: URLSearchParams,
  codes: Map<string, Promised>,
  tokens: Map<string, string>,
): object {
  if (form.get('client_id') !== APP.id) {
    throw new GraphError('Error validating application. Invalid application ID.', 101);
  }
  if (form.get('client_secret') !== APP.secret) {
    throw new GraphError('Error validating client secret.', 1);
  }
  const code = form.get('code') ?? '';
  const promised = codes.get(code);
  if (promised === undefined) {
    throw new GraphError('This authorization code has been used.', 100);
  }
  if (promised.redirectUri !== form.get('redirect_uri')) {
    throw new GraphError(
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      100,
    );
  }
  const verifier = form.get('code_verifier') ?? '';
  if (createHash('sha256').update(verifier).digest('base64url') !== promised.challenge) {
    throw new GraphError('Invalid code_verifier parameter', 100);
  }
  codes.delete(code);
  const token = `EAA${randomBytes(90).toString('base64url')}`;
  tokens.set(token, promised.subject);
  return { access_token: token, token_type: 'bearer', expires_in: SIXTY_DAYS_SECONDS };
}

function me(
  accounts: ReadonlyMap<string, Account>,
  tokens: ReadonlyMap<string, string>,
  query: URLSearchParams,
  bearerToken: string,
): object {
  const token = query.get('access_token') ?? bearerToken;
  const account = accounts.get(tokens.get(token) ?? '');
  if (account === undefined) {
    throw new GraphError('Invalid OAuth access token - Cannot parse access token', 190);
  }
  const proof = createHmac('sha256', APP.secret).update(token).digest('hex');
  if (query.get('appsecret_proof') !== proof) {
    throw new GraphError(
      'Invalid appsecret_proof provided in the API argument',
      100,
      'GraphMethodException',
    );
  }
  const fields = (query.get('fields') ?? 'id,name').split(',');
  // A field that is not known, or not let out, is left out without a word.
  const known = { id: account.subject, name: account.name, email: account.email };
  return Object.fromEntries(Object.entries(known).filter(([field]) => fields.includes(field)));
}

function bearer(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function answerJson(response: ServerResponse, answer: () => object): void {
  const send = (status: number, body: object) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
      .end(JSON.stringify(body));
  try {
    send(200, answer());
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    const { message, type, code } = error;
    send(400, { error: { message, type, code, fbtrace_id: randomUUID() } });
  }
}
