/** The second step of a sign-in, and second factors: authenticator app, passkeys, recovery codes. */
import { Type, type Static } from 'typebox';
import { SecondStep, User } from './accounts.ts';
import { endpoint, memberReads, memberWrites, statefulWrites } from './endpoint.ts';
import { Id, One, Strict, Time } from './wire.ts';

/** JSON of the browser's WebAuthn calls. */
const WebAuthnJson = Type.Record(Type.String(), Type.Unknown());
const byId = Strict({ id: Id });
const Code = Type.String({ minLength: 6, maxLength: 40 });

/**
 * Options for `navigator.credentials.get`: for a confirmation when signed in, else for the second step of a waiting
 * sign-in, else for a passkey alone. `alone` ignores a waiting sign-in.
 */
export const passkeyChallenge = endpoint({
  ...statefulWrites,
  path: '/api/auth/passkey-challenge',
  throttle: 'signin',
  summary: 'Options to sign in or to confirm with a passkey.',
  body: Strict({ alone: Type.Optional(Type.Boolean()) }),
  reply: One(WebAuthnJson),
  refusals: ['sign_in_again'],
});

/** A passkey alone is two factors: possession, and the verification by its device. */
export const passkeySignIn = endpoint({
  ...statefulWrites,
  path: '/api/auth/passkey-signin',
  throttle: 'signin',
  summary: 'Signs in with a passkey alone.',
  body: Strict({ passkey: WebAuthnJson, remember: Type.Optional(Type.Boolean()) }),
  reply: One(User),
});

/** After a sign-in that answered `two_factor`, in the same browser, within ten minutes. */
export const twoFactorChallenge = endpoint({
  ...statefulWrites,
  path: '/api/auth/two-factor-challenge',
  throttle: 'signin',
  summary: 'Finishes a sign-in with a code, a recovery code or a passkey.',
  body: Strict({
    code: Type.Optional(Code),
    recovery_code: Type.Optional(Code),
    passkey: Type.Optional(WebAuthnJson),
  }),
  reply: One(User),
  refusals: ['sign_in_again'],
});

/** `methods` can finish the waiting sign-in; `email` is the address of its account. */
export const getTwoFactorChallenge = endpoint({
  method: 'GET',
  path: '/api/auth/two-factor-challenge',
  scope: 'stateful',
  throttle: 'read',
  summary:
    'Whether a sign-in in this browser waits for its second step, and the methods it accepts.',
  reply: One(
    Type.Object({
      waiting: Type.Boolean(),
      methods: SecondStep.properties.methods,
      email: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
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
  /** The desk requires a second factor, and the user has none yet. */
  missing: Type.Boolean(),
});
export type SecondFactor = Static<typeof SecondFactor>;

export const getSecondFactor = endpoint({
  ...memberReads,
  path: '/api/user/two-factor',
  summary: 'The second factors of the user.',
  reply: One(SecondFactor),
});

/** Needs a fresh confirmation. The app is off until its first code has been sent. */
export const beginTotp = endpoint({
  ...memberWrites,
  path: '/api/user/two-factor/totp',
  fresh: true,
  summary: 'Creates a secret for an authenticator app.',
  status: 201,
  reply: One(Type.Object({ secret: Type.String(), uri: Type.String() })),
  refusals: ['confirmation_required', 'totp_enabled'],
});

const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });

/** Ends all other sessions. Recovery codes are returned only with the first second factor. */
export const confirmTotp = endpoint({
  ...memberWrites,
  path: '/api/user/two-factor/totp/confirmation',
  fresh: true,
  throttle: 'signin',
  summary: 'Turns the authenticator app on with its first code.',
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
  ...memberWrites,
  path: '/api/user/two-factor/recovery-codes',
  fresh: true,
  throttle: 'factors',
  summary: 'Creates ten new recovery codes; the old ones stop working.',
  reply: One(RecoveryCodes),
  refusals: ['confirmation_required', 'no_second_factor'],
});

export const beginPasskey = endpoint({
  ...memberWrites,
  path: '/api/user/passkeys/challenge',
  fresh: true,
  summary: 'Options for `navigator.credentials.create`.',
  reply: One(WebAuthnJson),
  refusals: ['confirmation_required'],
});

/** `recovery_codes` is empty unless it is the first second factor. */
export const addPasskey = endpoint({
  ...memberWrites,
  path: '/api/user/passkeys',
  fresh: true,
  throttle: 'factors',
  summary: 'Adds a passkey.',
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
  summary: 'Removes a passkey.',
  status: 204,
  params: byId,
  refusals: ['confirmation_required', 'two_factor_mandatory', 'last_way_in'],
});
