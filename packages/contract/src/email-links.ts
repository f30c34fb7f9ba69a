/** Links of emails, and checking them without using them up. */
import { Type, type Static } from 'typebox';
import { Token } from './accounts.ts';
import { endpoint, statefulWrites } from './endpoint.ts';
import { One, Strict } from './wire.ts';

/** What a link would do, for the page that it leads to; signed in or not. */
export const LinkSight = Type.Object({
  email: Type.String(),
  /** `first` verifies the address of the account; `change` replaces it. */
  act: Type.Enum(['first', 'change'] as const),
  /** The address is confirmed already. */
  done: Type.Boolean(),
  /** The signed-in account is that of the link. */
  own: Type.Boolean(),
  /** The path of the frontend that the user was going to when the email was sent. */
  next: Type.Union([Type.String(), Type.Null()]),
});
export type LinkSight = Static<typeof LinkSight>;

export const checkVerifyEmail = endpoint({
  ...statefulWrites,
  path: '/api/auth/verify-email/check',
  summary: 'Says what the token of an email would confirm, without confirming it.',
  body: Strict({ token: Token }),
  reply: One(LinkSight),
  refusals: ['link_expired', 'link_invalid'],
});

export const checkResetPassword = endpoint({
  ...statefulWrites,
  path: '/api/auth/reset-password/check',
  throttle: 'signin',
  summary: 'Says whether the token of an email can still set a new password, without using it up.',
  status: 204,
  body: Strict({ token: Token }),
  refusals: ['link_expired', 'link_invalid'],
});
