/** Accounts, sessions and the ways in: what the rest of the service may use of them. */
export { adminsWith } from './admin/admins.ts';
export { countUsers, createUser, isName } from './people.ts';
export { hashPassword } from './password/passwords.ts';
export { memberSessions, sessionOf } from './sessions/member-sessions.ts';
export { lacksTwoFactor } from './second-factor/two-factor-policy.ts';
export { listSessions } from './sessions/account-sessions.ts';
export { anonymise, signInMethods } from './account/deletion.ts';
export { getUser } from './people.ts';
export type { Owner } from './second-factor/second-factor.ts';
export * as standing from './admin/manage-user.ts';
export { ownerOf } from './sessions/request-context.ts';
