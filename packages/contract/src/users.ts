/** Users, as admins see them. Admins can neither see nor set passwords. */
import { Type, type Static } from 'typebox';
import { SessionNote } from './accounts.ts';
import { adminReads, adminWrites, endpoint, permissions } from './endpoint.ts';
import { Cursor, cursorQuery, Id, Many, nullable, One, Strict, Time, Words } from './wire.ts';

const byId = Strict({ id: Id });
const Permission = Type.Enum(permissions);
const Role = Type.Union([Type.Literal('user'), Type.Literal('admin')]);

export const UserNote = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  email_verified_at: nullable(Time),
  role: Role,
  permissions: Type.Array(Permission),
  two_factor_enabled: Type.Boolean(),
  disabled_at: nullable(Time),
  last_seen_at: nullable(Time),
  created_at: Time,
});
export type UserNote = Static<typeof UserNote>;

export const userStates = ['admin', 'unverified', 'disabled'] as const;

export const listUsers = endpoint({
  ...adminReads('users'),
  path: '/api/admin/users',
  summary: 'Users, the newest first; `q` matches the beginnings of words in names and addresses.',
  query: Strict({
    ...cursorQuery,
    q: Type.Optional(Type.String({ maxLength: 254 })),
    state: Type.Optional(Type.Enum(userStates)),
  }),
  reply: Cursor(UserNote),
});

export const UserDetail = Type.Object({
  ...UserNote.properties,
  /** A new address to be verified. */
  pending_email: nullable(Type.String()),
  locale: Type.String(),
  has_password: Type.Boolean(),
  identities: Type.Array(Type.String()),
  /** How many. */
  passkeys: Type.Integer(),
  open_exchanges: Type.Integer(),
  exchanges: Type.Integer(),
});
export type UserDetail = Static<typeof UserDetail>;

export const getUserDetail = endpoint({
  ...adminReads('users'),
  path: '/api/admin/users/{id}',
  summary: 'A user.',
  params: byId,
  reply: One(UserDetail),
});

/**
 * Needs a fresh confirmation. Admins cannot change their own role, nor demote the last full admin. 422 on `role`
 * for a user with an unverified address, unless it only removes permissions.
 */
export const changeUserRole = endpoint({
  ...adminWrites('users'),
  method: 'PUT',
  path: '/api/admin/users/{id}/role',
  fresh: true,
  summary: 'Makes a user an admin with these permissions, or a customer.',
  params: byId,
  body: Strict({ role: Role, permissions: Type.Array(Permission, { maxItems: 5 }) }),
  reply: One(UserDetail),
  refusals: ['confirmation_required', 'last_admin', 'own_account', 'beyond_own_permissions'],
});

/** Ends all sessions at once. */
export const disableUser = endpoint({
  ...adminWrites('users'),
  method: 'PUT',
  path: '/api/admin/users/{id}/disabling',
  fresh: true,
  summary: 'Disables a user, with a reason for the audit log.',
  params: byId,
  body: Strict({ reason: Words(1, 500) }),
  reply: One(UserDetail),
  refusals: ['confirmation_required', 'last_admin', 'own_account', 'beyond_own_permissions'],
});

export const enableUser = endpoint({
  ...adminWrites('users'),
  method: 'DELETE',
  path: '/api/admin/users/{id}/disabling',
  fresh: true,
  summary: 'Enables a disabled user.',
  params: byId,
  reply: One(UserDetail),
  refusals: ['confirmation_required', 'beyond_own_permissions'],
});

export const listUserSessions = endpoint({
  ...adminReads('users'),
  path: '/api/admin/users/{id}/sessions',
  summary: 'The open sessions of a user.',
  params: byId,
  reply: Many(SessionNote),
});

export const endUserSessions = endpoint({
  ...adminWrites('users'),
  method: 'DELETE',
  path: '/api/admin/users/{id}/sessions',
  summary: 'Ends all sessions of a user.',
  status: 204,
  params: byId,
  refusals: ['beyond_own_permissions'],
});

/** The password stops working, all sessions end, and an email leads to a new password. */
export const forcePasswordReset = endpoint({
  ...adminWrites('users'),
  path: '/api/admin/users/{id}/password-reset',
  fresh: true,
  summary: 'Makes a user choose a new password.',
  status: 202,
  params: byId,
  refusals: ['confirmation_required', 'last_admin', 'beyond_own_permissions', 'too_many_emails'],
});

/** For a user who has lost all factors and has proved their identity by other means. */
export const removeUserSecondFactor = endpoint({
  ...adminWrites('users'),
  method: 'DELETE',
  path: '/api/admin/users/{id}/two-factor',
  fresh: true,
  summary: 'Removes all second factors of a user.',
  status: 204,
  params: byId,
  body: Strict({ reason: Words(1, 500) }),
  refusals: ['confirmation_required', 'own_account', 'beyond_own_permissions'],
});
