/** The signed-in user: sign-up, sign-in, sign-out, verification of the address, password and sessions. */
import { Type, type Static } from 'typebox';
import { endpoint, memberReads, memberWrites, publicReads, statefulWrites } from './endpoint.ts';
import { Email, Id, Many, nullable, One, Strict, Time } from './wire.ts';

/** `daily`: at 08:00 of the desk's time zone. */
export const deskDigests = ['off', 'hourly', 'daily'] as const;
const DeskDigest = Type.Enum(deskDigests);

export const User = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  email_verified_at: nullable(Time),
  /** A new address to be verified; the old one stays until then. */
  pending_email: nullable(Type.String()),
  role: Type.Union([Type.Literal('user'), Type.Literal('admin')]),
  permissions: Type.Array(Type.String()),
  locale: Type.String(),
  /** False for a user who signs in with a provider or passkey only. */
  has_password: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  /** The desk requires a second factor, and the user has none yet. */
  two_factor_missing: Type.Boolean(),
  /** How an operator hears of new work: in the browser, and by a digest. */
  desk_notices: Type.Boolean(),
  desk_digest: DeskDigest,
  created_at: Time,
});
export type User = Static<typeof User>;

export const password = { minimumLength: 8, maximumLength: 200 } as const;

const { minimumLength: minLength, maximumLength: maxLength } = password;
const NewPassword = Type.String({ minLength, maxLength });
const GivenPassword = Type.String({ minLength: 1, maxLength: 1024 });
const Locale = Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$' });
/** A path of the frontend with its query; one that could lead elsewhere is ignored. */
export const NextPath = Type.String({ maxLength: 4000 });
/** The token of an emailed link. */
export const Token = Type.String({ minLength: 1, maxLength: 1000 });

export const csrfCookie = endpoint({
  ...publicReads,
  path: '/stateful/csrf-cookie',
  // Without a token a client can write nothing.
  vital: true,
  summary: 'Sets the XSRF-TOKEN cookie, whose value other requests send as a header.',
  status: 204,
});

export const signUp = endpoint({
  ...statefulWrites,
  path: '/api/auth/signup',
  throttle: 'signup',
  summary:
    'Opens an account, signs its owner in and sends an email to confirm the address, unless it has had too many.',
  status: 201,
  body: Strict({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    email: Email,
    password: NewPassword,
    password_confirmation: Type.Optional(Type.String()),
    terms_accepted: Type.Boolean(),
    locale: Type.Optional(Locale),
    /** Where the link of the email leads after verification; a long path is ignored. */
    next: Type.Optional(NextPath),
  }),
  reply: One(User),
  refusals: ['site_closed'],
});

/** Which ways the second step accepts. */
export const SecondStep = Type.Object({
  two_factor: Type.Literal(true),
  methods: Type.Array(Type.Enum(['totp', 'passkey', 'recovery_code'] as const)),
});
export type SecondStep = Static<typeof SecondStep>;

export const signIn = endpoint({
  ...statefulWrites,
  path: '/api/auth/signin',
  throttle: 'signin',
  summary: 'Signs in with address and password, or asks for the second factor.',
  body: Strict({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: GivenPassword,
    remember: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Union([One(User), SecondStep]),
});

export const signOut = endpoint({
  ...statefulWrites,
  path: '/api/auth/signout',
  summary: 'Ends the session; a guest session takes its place.',
  status: 204,
});

/** The user stands at the top level, as the clients of this scheme expect. */
export const currentUser = endpoint({
  ...memberReads,
  path: '/api/user',
  summary: 'The signed-in user.',
  reply: User,
});

export const sendVerification = endpoint({
  ...memberWrites,
  path: '/api/auth/email/verification-notification',
  throttle: 'email',
  summary: 'Sends the email that confirms the address again; at most once a minute.',
  status: 202,
  query: Strict({ next: Type.Optional(NextPath) }),
  refusals: ['too_many_emails'],
});

/** Needs the account to be signed in, in any browser. Confirming twice is no error. */
export const verifyEmail = endpoint({
  ...statefulWrites,
  path: '/api/auth/verify-email',
  summary: 'Confirms the address of the account that is signed in, with the token of its email.',
  body: Strict({ token: Token }),
  reply: One(
    Type.Object({
      email: Type.String(),
      /** Where the user was going when the email was sent. */
      next: nullable(Type.String()),
    }),
  ),
  refusals: ['unauthenticated', 'link_expired', 'link_invalid', 'other_account', 'email_taken'],
});

/** The same answer for every address, known or not. */
export const forgotPassword = endpoint({
  ...statefulWrites,
  path: '/api/auth/forgot-password',
  throttle: 'email',
  summary: 'Sends an email with a link to choose a new password, if the address has an account.',
  status: 202,
  body: Strict({ email: Email }),
});

/** All sessions end and none starts: a second factor is still required to sign in. */
export const resetPassword = endpoint({
  ...statefulWrites,
  path: '/api/auth/reset-password',
  throttle: 'signin',
  summary: 'Chooses a new password with the token of an email, once, within 60 minutes.',
  status: 204,
  body: Strict({
    token: Token,
    password: NewPassword,
    password_confirmation: Type.Optional(Type.String()),
  }),
  refusals: ['link_expired', 'link_invalid'],
});

export const updateProfile = endpoint({
  ...memberWrites,
  method: 'PATCH',
  path: '/api/user',
  summary: 'Changes name or language, and how an operator hears of new work.',
  body: Strict({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    locale: Type.Optional(Locale),
    /** 403 for a user without the permission `desk`. */
    desk_notices: Type.Optional(Type.Boolean()),
    desk_digest: Type.Optional(DeskDigest),
  }),
  reply: One(User),
});

/** Needs `current_password` if there is one, and with a second factor a fresh confirmation. All other sessions end. */
export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/user/password',
  scope: 'member',
  throttle: 'signin',
  summary: 'Changes the password, or sets a first one.',
  body: Strict({
    current_password: Type.Optional(GivenPassword),
    password: NewPassword,
    password_confirmation: Type.Optional(Type.String()),
  }),
  reply: One(User),
  refusals: ['confirmation_required'],
});

/**
 * The new address gets an email with a link; the old one is notified at once, and after the change. With a second
 * factor a fresh confirmation is needed. Sending the current address cancels a pending change, without proof.
 */
export const changeEmail = endpoint({
  method: 'PUT',
  path: '/api/user/email',
  scope: 'member',
  throttle: 'signin',
  summary: 'Asks for another address, which is used once its own email has been confirmed.',
  status: 202,
  body: Strict({ email: Email, current_password: Type.Optional(GivenPassword) }),
  reply: One(User),
  refusals: ['confirmation_required', 'too_many_emails'],
});

/** A session counts as freshly confirmed for ten minutes, also after sign-in. */
export const confirmIdentity = endpoint({
  ...memberWrites,
  path: '/api/user/confirmation',
  throttle: 'signin',
  summary:
    'Confirms the identity of the user: by the second factor if there is one, else by the password.',
  body: Strict({
    password: Type.Optional(GivenPassword),
    code: Type.Optional(Type.String({ minLength: 6, maxLength: 40 })),
    recovery_code: Type.Optional(Type.String({ minLength: 6, maxLength: 40 })),
    passkey: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  reply: One(Type.Object({ confirmed_until: Time })),
});

export const SessionNote = Type.Object({
  id: Id,
  current: Type.Boolean(),
  /** Such as "Firefox on Linux". */
  device: Type.String(),
  ip: nullable(Type.String()),
  remember: Type.Boolean(),
  created_at: Time,
  last_used_at: Time,
});
export type SessionNote = Static<typeof SessionNote>;

export const listSessions = endpoint({
  ...memberReads,
  path: '/api/user/sessions',
  summary: 'The open sessions of the user, the current one first.',
  reply: Many(SessionNote),
});

export const endOtherSessions = endpoint({
  ...memberWrites,
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: 'Ends all sessions except the current one.',
  status: 204,
});

export const endSession = endpoint({
  ...memberWrites,
  method: 'DELETE',
  path: '/api/user/sessions/{id}',
  summary: 'Ends a session of the user.',
  status: 204,
  params: Strict({ id: Id }),
});

/** No secrets. */
export const exportAccount = endpoint({
  ...memberReads,
  path: '/api/user/export',
  throttle: 'report',
  summary:
    'All stored data of the user, as a file: profile, ways to sign in, sessions, exchanges with events and links to proofs, emails, log.',
});

/** Refused while an exchange is open or a refund unpaid. Money records stay, without the person. */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/user',
  scope: 'member',
  fresh: true,
  throttle: 'signin',
  summary:
    'Deletes the account of the user, who confirms it with the address; exchanges and the ledger stay.',
  status: 204,
  body: Strict({ email: Type.String({ maxLength: 254 }) }),
  refusals: ['confirmation_required', 'exchanges_open', 'last_admin'],
});
