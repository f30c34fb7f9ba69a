/** Looking at the links of emails before they are followed: nothing is used up by it. */
import { Type, type Static } from 'typebox';
import { Token } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { One, Strict } from './wire.ts';

/** What an email's link would do, for the page that it leads to; signed in or not. */
export const LinkSight = Type.Object({
  email: Type.String(),
  /** `first` proves the account's address; `change` puts a new one in its place. */
  act: Type.Enum(['first', 'change'] as const),
  /** The address is confirmed already. */
  done: Type.Boolean(),
  /** The account that the link belongs to is the one that is signed in. */
  own: Type.Boolean(),
  /** The path of the frontend that the person was going to when the email was written. */
  next: Type.Union([Type.String(), Type.Null()]),
});
export type LinkSight = Static<typeof LinkSight>;

export const checkVerifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email/check',
  scope: 'stateful',
  throttle: 'write',
  summary: 'Says what the token of an email would confirm, without confirming it.',
  status: 200,
  body: Strict({ token: Token }),
  reply: One(LinkSight),
  refusals: ['link_expired', 'link_invalid'],
});

/** The link signs nobody in: the password, and the second factor, are asked for as usual. */
export const allowBrowser = endpoint({
  method: 'POST',
  path: '/api/auth/known-browsers',
  scope: 'stateful',
  throttle: 'signin',
  summary:
    'Lets this browser try passwords while its account is under attack, by the token of an email, once.',
  status: 204,
  body: Strict({ token: Token }),
  refusals: ['link_expired', 'link_invalid'],
});

export const checkAllowBrowser = endpoint({
  method: 'POST',
  path: '/api/auth/known-browsers/check',
  scope: 'stateful',
  throttle: 'signin',
  summary: 'Says whether the token of an email still lets a browser in, without using it up.',
  status: 204,
  body: Strict({ token: Token }),
  refusals: ['link_expired', 'link_invalid'],
});

export const checkResetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password/check',
  scope: 'stateful',
  throttle: 'signin',
  summary: 'Says whether the token of an email still opens a new password, without using it up.',
  status: 204,
  body: Strict({ token: Token }),
  refusals: ['link_expired', 'link_invalid'],
});
