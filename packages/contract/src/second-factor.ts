/** The second step of a sign-in, and what a person keeps for it: an app's codes, passkeys, recovery codes. */
import { Type, type Static } from 'typebox';
import { SecondStep, User } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { Id, One, Strict, Time } from './wire.ts';

/** As the browser's WebAuthn calls take and give them, in JSON. */
const WebAuthnJson = Type.Record(Type.String(), Type.Unknown());
const byId = Strict({ id: Id });
const Code = Type.String({ minLength: 6, maxLength: 40 });

/**
 * Options for `navigator.credentials.get`: a confirmation for whoever is signed in, else the
 * second step of a sign-in that waits for it, else a passkey alone. `alone` is for the last where
 * one waits.
 */
export const passkeyChallenge = endpoint({
  method: 'POST',
  path: '/api/auth/passkey-challenge',
  scope: 'stateful',
  throttle: 'signin',
  summary: 'Options to sign in or to confirm with a passkey.',
  status: 200,
  body: Strict({ alone: Type.Optional(Type.Boolean()) }),
  reply: One(WebAuthnJson),
  refusals: ['sign_in_again'],
});

/** By passkey alone, which is two factors in one: possession, and the device's own check. */
export const passkeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey-signin',
  scope: 'stateful',
  throttle: 'signin',
  summary: 'Signs in with a passkey alone.',
  status: 200,
  body: Strict({ passkey: WebAuthnJson, remember: Type.Optional(Type.Boolean()) }),
  reply: One(User),
});

/** Follows a sign-in that answered `two_factor`, in the same browser, within ten minutes. */
export const twoFactorChallenge = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor-challenge',
  scope: 'stateful',
  throttle: 'signin',
  summary: 'Ends a sign-in with a code, a recovery code or a passkey.',
  status: 200,
  body: Strict({
    code: Type.Optional(Code),
    recovery_code: Type.Optional(Code),
    passkey: Type.Optional(WebAuthnJson),
  }),
  reply: One(User),
  refusals: ['sign_in_again'],
});

/** `methods` are the ways to finish the sign-in that waits; `email` is the address of its account. */
export const getTwoFactorChallenge = endpoint({
  method: 'GET',
  path: '/api/auth/two-factor-challenge',
  scope: 'stateful',
  throttle: 'read',
  summary:
    'Whether a sign-in waits for its second step in this browser, and by which ways it ends.',
  status: 200,
  reply: One(
    Type.Object({
      waiting: Type.Boolean(),
      methods: SecondStep.properties.methods,
      email: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

/** Only what waits in this browser: nobody who has signed in since is signed out. */
export const endTwoFactorChallenge = endpoint({
  method: 'DELETE',
  path: '/api/auth/two-factor-challenge',
  scope: 'stateful',
  throttle: 'write',
  summary: 'Ends a sign-in that waits for its second step.',
  status: 204,
});

export const Passkey = Type.Object({
  id: Id,
  name: Type.String(),
  created_at: Time,
  last_used_at: Type.Union([Time, Type.Null()]),
});
export type Passkey = Static<typeof Passkey>;

export const SecondFactor = Type.Object({
  totp: Type.Boolean(),
  passkeys: Type.Array(Passkey),
  recovery_codes_left: Type.Integer(),
  /** The desk demands a second factor of this person, who has none yet. */
  missing: Type.Boolean(),
});
export type SecondFactor = Static<typeof SecondFactor>;

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/two-factor',
  scope: 'member',
  throttle: 'read',
  summary: 'Which second factors one has.',
  status: 200,
  reply: One(SecondFactor),
});

/** Needs a fresh confirmation. Nothing counts until the first code has been shown. */
export const beginTotp = endpoint({
  method: 'POST',
  path: '/api/user/two-factor/totp',
  scope: 'member',
  fresh: true,
  throttle: 'write',
  summary: 'Makes a secret for an authenticator app.',
  status: 201,
  reply: One(Type.Object({ secret: Type.String(), uri: Type.String() })),
  refusals: ['confirmation_required', 'totp_enabled'],
});

const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });

/** Ends all other sessions. The recovery codes are given with the first second factor only, else none. */
export const confirmTotp = endpoint({
  method: 'POST',
  path: '/api/user/two-factor/totp/confirmation',
  scope: 'member',
  fresh: true,
  throttle: 'signin',
  summary: 'Turns the authenticator app on with its first code.',
  status: 200,
  body: Strict({ code: Code }),
  reply: One(RecoveryCodes),
  refusals: ['confirmation_required'],
});

export const removeTotp = endpoint({
  method: 'DELETE',
  path: '/api/user/two-factor/totp',
  scope: 'member',
  fresh: true,
  throttle: 'factors',
  summary: 'Turns the authenticator app off.',
  status: 204,
  refusals: ['confirmation_required', 'not_found', 'two_factor_mandatory'],
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/two-factor/recovery-codes',
  scope: 'member',
  fresh: true,
  throttle: 'factors',
  summary: 'Makes ten new recovery codes; the old ones end.',
  status: 200,
  reply: One(RecoveryCodes),
  refusals: ['confirmation_required', 'no_second_factor'],
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/challenge',
  scope: 'member',
  fresh: true,
  throttle: 'write',
  summary: 'Options for `navigator.credentials.create`.',
  status: 200,
  reply: One(WebAuthnJson),
  refusals: ['confirmation_required'],
});

/** `recovery_codes` are given with the first second factor only, else empty. */
export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys',
  scope: 'member',
  fresh: true,
  throttle: 'factors',
  summary: 'Keeps a new passkey.',
  status: 201,
  body: Strict({ name: Type.String({ minLength: 1, maxLength: 60 }), passkey: WebAuthnJson }),
  reply: One(Type.Object({ passkey: Passkey, recovery_codes: Type.Array(Type.String()) })),
  refusals: ['confirmation_required', 'passkey_refused'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkeys/{id}',
  scope: 'member',
  fresh: true,
  throttle: 'factors',
  summary: 'Forgets a passkey.',
  status: 204,
  params: byId,
  refusals: ['confirmation_required', 'two_factor_mandatory', 'last_way_in'],
});
