/** Signing in with Google and Facebook. */
import { Type, type Static } from 'typebox';
import { NextPath } from './accounts.ts';
import { endpoint, memberReads, memberWrites, publicReads } from './endpoint.ts';
import { Many, Strict, Time } from './wire.ts';

export const providers = ['google', 'facebook'] as const;
export const ProviderName = Type.Enum(providers);
export type ProviderName = Static<typeof ProviderName>;

const byProvider = Strict({ provider: ProviderName });

/** Those that are configured, in the order of their buttons. */
export const listProviders = endpoint({
  ...publicReads,
  path: '/api/auth/providers',
  summary: 'The providers that users can sign in with.',
  reply: Many(Type.Object({ provider: ProviderName, label: Type.String() })),
});

/**
 * Pages of the frontend link here. `next` is a path of the frontend. With `intent=link` the provider is linked to
 * the signed-in account, which needs a confirmation within ten minutes.
 */
export const providerRedirect = endpoint({
  ...publicReads,
  path: '/api/auth/{provider}/redirect',
  throttle: 'signin',
  summary: 'Redirects to the provider, which redirects to the callback.',
  status: 302,
  vital: true,
  params: byProvider,
  query: Strict({
    next: Type.Optional(NextPath),
    intent: Type.Optional(Type.Enum(['signin', 'link'] as const)),
    remember: Type.Optional(Type.Boolean()),
  }),
});

/** Accepts other parameters of the provider. Always redirects to the frontend. */
export const providerCallback = endpoint({
  ...publicReads,
  path: '/api/auth/{provider}/callback',
  throttle: 'signin',
  summary: 'The redirect URI for the provider.',
  status: 302,
  vital: true,
  params: byProvider,
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 8000 })),
    state: Type.Optional(Type.String({ maxLength: 4000 })),
    error: Type.Optional(Type.String({ maxLength: 4000 })),
  }),
});

/**
 * Why a flow failed: a sign-in redirects to `/signin?trouble=<reason>` with `next`, linking to
 * `/account?trouble=<reason>`. If a second factor is needed, a sign-in redirects to `/two-factor`.
 */
export const providerTroubles = [
  'cancelled',
  'failed',
  'expired',
  'no_email',
  'email_in_use',
  'disabled',
  'already_linked',
  'confirmation_required',
  'unavailable',
  'too_many',
  // A new user, while the site is closed.
  'closed',
] as const;
export type ProviderTrouble = (typeof providerTroubles)[number];

export const Identity = Type.Object({
  provider: ProviderName,
  email: Type.Union([Type.String(), Type.Null()]),
  created_at: Time,
  last_used_at: Type.Union([Time, Type.Null()]),
});
export type Identity = Static<typeof Identity>;

export const listIdentities = endpoint({
  ...memberReads,
  path: '/api/user/identities',
  summary: 'The providers linked to the account.',
  reply: Many(Identity),
});

export const unlinkIdentity = endpoint({
  ...memberWrites,
  method: 'DELETE',
  path: '/api/user/identities/{provider}',
  fresh: true,
  summary: 'Unlinks a provider, unless it is the last way to sign in.',
  status: 204,
  params: byProvider,
  refusals: ['confirmation_required', 'last_way_in'],
});
