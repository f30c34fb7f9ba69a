/** An API with the fake Google and Facebook, and OAuth flows through them. */
import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import type { Client, Json } from '#test/client.ts';
import type { Cleanup } from '#test/database.ts';
import { startFacebook } from '#test/fakes/facebook.ts';
import { startTestApi, type TestApi, type TestOptions } from '#test/harness.ts';
import { startOpenIdProvider, type OpenIdProvider } from '#test/fakes/openid-provider.ts';
import { goThrough, type Account, type Peer } from '#test/fakes/provider-peer.ts';

export type ProviderName = 'google' | 'facebook';

export const WEB = 'http://localhost:4000';
const API = 'http://localhost:8000';

export interface ProviderDesk {
  readonly api: TestApi;
  readonly peers: { readonly google: OpenIdProvider; readonly facebook: Peer };
  /** A user of the provider. */
  knownTo(provider: ProviderName, about?: Partial<Account>): Account & { email: string };
  /** A whole flow; returns the final page. `choice` is a subject, or `cancel`. */
  come(
    client: Client,
    provider: ProviderName,
    choice: string,
    query?: Readonly<Record<string, string>>,
  ): Promise<string>;
}

export async function startProviderDesk(
  t: Cleanup,
  options: Pick<TestOptions, 'log' | 'poolSize'> = {},
): Promise<ProviderDesk> {
  const redirectUris = (name: ProviderName) => [`${API}/api/auth/${name}/callback`];
  const peers = {
    google: await startOpenIdProvider(t, { accounts: [], redirectUris: redirectUris('google') }),
    facebook: await startFacebook(t, { accounts: [], redirectUris: redirectUris('facebook') }),
  };
  const api = await startTestApi(t, {
    ...options,
    env: { ...peers.google.environment, ...peers.facebook.environment },
  });
  return {
    api,
    peers,
    knownTo(provider, about = {}) {
      const subject = randomUUID();
      const account = {
        subject,
        name: 'Mara Lindqvist',
        email: `${subject}@gmail.com`,
        email_verified: true,
        ...about,
      };
      peers[provider].accounts.set(subject, account);
      return account;
    },
    async come(client, provider, choice, query = {}) {
      return follow(client, await goThrough(await setOut(client, provider, query), choice));
    },
  };
}

/** Starts a flow; returns the provider's address. */
export async function setOut(
  client: Client,
  provider: ProviderName,
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await client.get(`/api/auth/${provider}/redirect`, { query });
  assert.equal(answer.status, 302, answer.text);
  return String(answer.headers['location']);
}

/** Follows the provider's redirect; returns the path of the frontend. */
export async function follow(client: Client, back: URL): Promise<string> {
  const answer = await client.get(back.pathname + back.search, {
    headers: { referer: 'https://accounts.google.com/', origin: '' },
  });
  assert.equal(answer.status, 302, answer.text);
  assert.equal(answer.headers['cache-control'], 'no-store');
  return String(answer.headers['location']).replace(WEB, '').replace(/#$/, '');
}

export const userOf = async (client: Client): Promise<Json> => (await client.get('/api/user')).body;

export const isGuest = async (client: Client): Promise<boolean> =>
  (await client.get('/api/user')).status === 401;

/** The actions about an account in the audit log. */
export async function actionsOf({ db }: TestApi, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_id', '=', userId)
    .execute();
  return rows.map(({ action }) => action);
}
