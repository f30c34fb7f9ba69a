/** The signed-in person: sign-up, sign-in, sign-out and who they are. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Email, Id, One, Strict, Time } from './wire.ts';

export const permissions = ['desk', 'money', 'content', 'users', 'settings'] as const;

export const User = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  email_verified_at: Type.Union([Time, Type.Null()]),
  role: Type.Union([Type.Literal('user'), Type.Literal('admin')]),
  permissions: Type.Array(Type.String()),
  locale: Type.String(),
  two_factor_enabled: Type.Boolean(),
  created_at: Time,
});
export type User = Static<typeof User>;

export const password = { minimumLength: 8, maximumLength: 200 } as const;

const NewPassword = Type.String({
  minLength: password.minimumLength,
  maxLength: password.maximumLength,
});

export const csrfCookie = endpoint({
  method: 'GET',
  path: '/stateful/csrf-cookie',
  scope: 'public',
  throttle: 'read',
  summary: 'Sets the XSRF-TOKEN cookie that the other requests answer with.',
  status: 204,
});

export const signUp = endpoint({
  method: 'POST',
  path: '/api/auth/signup',
  scope: 'stateful',
  throttle: 'signup',
  summary: 'Opens an account and signs its owner in.',
  status: 201,
  body: Strict({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    email: Email,
    password: NewPassword,
    password_confirmation: Type.Optional(Type.String()),
    terms_accepted: Type.Boolean(),
    locale: Type.Optional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$' })),
  }),
  reply: One(User),
});

export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/signin',
  scope: 'stateful',
  throttle: 'signin',
  summary: 'Signs in with address and password.',
  status: 200,
  body: Strict({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    remember: Type.Optional(Type.Boolean()),
  }),
  reply: One(User),
});

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/signout',
  scope: 'stateful',
  throttle: 'write',
  summary: 'Ends the session; a guest session takes its place.',
  status: 204,
});

/** The user stands at the top level, as the clients of this scheme expect. */
export const currentUser = endpoint({
  method: 'GET',
  path: '/api/user',
  scope: 'member',
  throttle: 'read',
  summary: 'The person who is signed in.',
  status: 200,
  reply: User,
});
