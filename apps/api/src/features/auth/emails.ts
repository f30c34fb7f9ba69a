/**
 * The emails about accounts. Tokens are not in the text but in `secret`. Emails to unverified addresses
 * do not contain the user's name: anyone could have entered both.
 */
import type { Email } from '#features/email/email.ts';

type Content = Pick<Email, 'kind' | 'content'>;

const time = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const NOT_YOU =
  'If this was not you, change your password at once and check the sessions of your account.';
export const ACCOUNT = { label: 'Go to your account', path: '/account' };

/** Says what was removed when an unverified account was taken over by the owner of its address. */
export function purgedNotice(name: string): string[] {
  return [
    `This address was not confirmed before, so the name that was entered with it was replaced: your name is “${name}” now. You can change it on your account page.`,
    'Passkeys, the authenticator app, linked accounts and the consent to the terms, if there were any, were removed too.',
  ];
}

export const emails = {
  verifyAddress: (hours: number): Content => ({
    kind: 'verify-address',
    content: {
      subject: 'Confirm your email address',
      preview: 'One step is left before your first exchange.',
      heading: 'Confirm your email address',
      paragraphs: [
        'An account was opened with this address. Confirm that it is yours: then you can exchange.',
      ],
      action: { label: 'Confirm the address', path: '/verify-email' },
      note: `The link works for ${hours} hours. If you did not open an account, ignore this email.`,
    },
  }),

  verifyNewAddress: (hours: number): Content => ({
    kind: 'verify-new-address',
    content: {
      subject: 'Confirm your new email address',
      preview: 'Your old address stays in use until you do.',
      heading: 'Is this your new address?',
      paragraphs: [
        'Someone signed in to your account asked to use this address from now on.',
        'When you confirm it, it replaces the old one, and all other sessions end.',
      ],
      action: { label: 'Use this address', path: '/verify-email' },
      note: `The link works for ${hours} hours. If you did not ask for this, ignore this email.`,
    },
  }),

  addressChanged: (name: string, at: Date): Content => ({
    kind: 'address-changed',
    content: {
      subject: 'Your email address was changed',
      preview: 'Emails about your account go to another address now.',
      heading: `Your address was changed, ${name}`,
      paragraphs: [
        'Your account has another email address now. This is the last email to this one.',
      ],
      facts: [{ label: 'When', value: time(at) }],
      note: 'If this was not you, someone else may have access to your account.',
      contact: 'Write to us at once',
    },
  }),

  addressChangeAsked: (name: string, at: Date): Content => ({
    kind: 'address-change-asked',
    content: {
      subject: 'Someone wants to change your email address',
      preview: 'Nothing has changed yet. Was this you?',
      heading: `Was this you, ${name}?`,
      paragraphs: [
        'Someone signed in to your account asked to use another email address for it.',
        'Nothing has changed yet: this address stays until the other one is confirmed.',
      ],
      facts: [{ label: 'When', value: time(at) }],
      action: ACCOUNT,
      note: 'If this was not you, change your password at once and cancel the change on your account page. If you cannot sign in any more, write to us.',
      contact: 'Our address',
    },
  }),

  addressHasAccount: (name: string | null, at: Date): Content => ({
    kind: 'address-has-account',
    content: {
      subject: 'This address already has an account',
      preview: 'Someone wanted to use it for another one. Nothing has changed.',
      heading: `Was this you${name === null ? '' : `, ${name}`}?`,
      paragraphs: [
        'Someone signed in to another account asked to use this address for it. This address already has an account of its own, so nothing has changed.',
        'An address can belong to one account only. If you have two, sign in here with this address, or delete this account first and ask again.',
      ],
      facts: [{ label: 'When', value: time(at) }],
      action: ACCOUNT,
      note: 'If this was not you, you need not do anything: someone may have mistyped their address.',
    },
  }),

  resetPassword: (name: string | null, minutes: number): Content => ({
    kind: 'reset-password',
    content: {
      subject: 'Choose a new password',
      preview: `The link works once, for ${minutes} minutes.`,
      heading: `Choose a new password${name === null ? '' : `, ${name}`}`,
      paragraphs: ['A new password for your account was requested. Choose it here.'],
      action: { label: 'Choose a new password', path: '/reset-password' },
      note: `The link works once, for ${minutes} minutes. If you did not ask for it, nothing has changed.`,
    },
  }),

  forcedReset: (name: string | null, minutes: number): Content => ({
    kind: 'password-reset-forced',
    content: {
      subject: 'Choose a new password',
      preview: 'Your old password no longer works.',
      heading: `Choose a new password${name === null ? '' : `, ${name}`}`,
      paragraphs: [
        'To keep your account safe we have ended your sessions, and your old password no longer works.',
        'Choose a new one here. You can ask for another link on the sign-in page.',
      ],
      action: { label: 'Choose a new password', path: '/reset-password' },
      note: `The link works once, for ${minutes} minutes.`,
    },
  }),

  /** `purged`: the address was unverified before. */
  passwordChanged: (name: string, at: Date, purged = false): Content => ({
    kind: 'password-changed',
    content: {
      subject: 'Your password was changed',
      preview: 'All other sessions have ended.',
      heading: `Your password was changed${purged ? '' : `, ${name}`}`,
      paragraphs: [
        'The new password is valid from now on. All other sessions have ended.',
        ...(purged ? purgedNotice(name) : []),
      ],
      facts: [{ label: 'When', value: time(at) }],
      action: ACCOUNT,
      note: NOT_YOU,
    },
  }),

  newSignIn: (name: string, device: string, ip: string, at: Date): Content => ({
    kind: 'new-sign-in',
    content: {
      subject: 'A new sign-in to your account',
      preview: `${device}, ${time(at)}`,
      heading: `Was this you, ${name}?`,
      paragraphs: ['Someone signed in to your account from a new browser.'],
      facts: [
        { label: 'Device', value: device },
        { label: 'Network address', value: ip },
        { label: 'When', value: time(at) },
      ],
      action: { label: 'See your sessions', path: '/account' },
      note: NOT_YOU,
    },
  }),

  accountDeleted: (name: string, at: Date): Content => ({
    kind: 'account-deleted',
    content: {
      subject: 'Your account was deleted',
      preview: 'This is the last email about it.',
      heading: `Goodbye, ${name}`,
      paragraphs: [
        'Your account was deleted, and your personal data with it.',
        'We keep what the law demands: answers and proofs of exchanges in which money moved for five years, and amounts and times permanently.',
      ],
      facts: [{ label: 'When', value: time(at) }],
    },
  }),
} as const;
