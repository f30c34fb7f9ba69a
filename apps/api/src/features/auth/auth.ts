/** Accounts, sessions and the ways in: what the rest of the service may use of them. */
export { adminsWith } from './admins.ts';
export { countUsers, createUser, isName } from './people.ts';
export { hashPassword } from './passwords.ts';
export { memberSessions, sessionOf } from './member-sessions.ts';
export { lacksTwoFactor } from './two-factor-policy.ts';
export { listSessions } from './account-sessions.ts';
export { anonymise, signInMethods } from './deletion.ts';
export { getUser } from './people.ts';
export type { Owner } from './second-factor.ts';
export * as standing from './standing.ts';
export { ownerOf } from './visit.ts';
