/** Signing in through somebody else: Google and Facebook. */
import { Type, type Static } from 'typebox';
import { NextPath } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { Many, Strict, Time } from './wire.ts';

export const providers = ['google', 'facebook'] as const;
export const ProviderName = Type.Enum(providers);
export type ProviderName = Static<typeof ProviderName>;

const byProvider = Strict({ provider: ProviderName });

/** Those that are configured, in the order of their buttons. */
export const listProviders = endpoint({
  method: 'GET',
  path: '/api/auth/providers',
  scope: 'public',
  throttle: 'read',
  summary: 'The providers that one can sign in with here.',
  status: 200,
  reply: Many(Type.Object({ provider: ProviderName, label: Type.String() })),
});

/**
 * A page of the frontend leads the browser here. `next` is a path of the frontend. With
 * `intent=link` the provider is added to the account that is signed in, which must have been
 * confirmed within ten minutes.
 */
export const providerRedirect = endpoint({
  method: 'GET',
  path: '/api/auth/{provider}/redirect',
  scope: 'public',
  throttle: 'signin',
  summary: 'Leads to the provider, which leads back to the callback.',
  status: 302,
  vital: true,
  params: byProvider,
  query: Strict({
    next: Type.Optional(NextPath),
    intent: Type.Optional(Type.Enum(['signin', 'link'] as const)),
    remember: Type.Optional(Type.Boolean()),
  }),
});

/** What the provider adds of its own is let pass. Always answers with a redirect to the frontend, as the way there does when it fails. */
export const providerCallback = endpoint({
  method: 'GET',
  path: '/api/auth/{provider}/callback',
  scope: 'public',
  throttle: 'signin',
  summary: 'Where the provider leads back to.',
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
 * Why it came to nothing: a sign-in leads to `/signin?trouble=<reason>` and keeps `next`, a
 * linking to `/account?trouble=<reason>`. Where a second factor is asked for it is
 * `/two-factor`.
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
  // Somebody without an account, while the site opens none.
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
  method: 'GET',
  path: '/api/user/identities',
  scope: 'member',
  throttle: 'read',
  summary: "The providers that are linked to one's account.",
  status: 200,
  reply: Many(Identity),
});

export const unlinkIdentity = endpoint({
  method: 'DELETE',
  path: '/api/user/identities/{provider}',
  scope: 'member',
  fresh: true,
  throttle: 'write',
  summary: 'Unlinks a provider; never the last way in.',
  status: 204,
  params: byProvider,
  refusals: ['confirmation_required', 'last_way_in'],
});
