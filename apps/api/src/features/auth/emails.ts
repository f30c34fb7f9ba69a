/**
 * The emails about accounts, in words. Pure; what opens something is not in
 * them but in `secret`. Those that go to addresses nobody has proved have no
 * name in them: whoever typed the address has chosen the name too.
 */
import type { EmailContent } from '#features/email/email.ts';
import type { Planted } from './sign-up/purge-unverified.ts';

const time = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const NOT_YOU =
  'If this was not you, choose a new password at once and look at the sessions of your account.';
const WRITE = 'Write to us at once';

const planted: Readonly<Record<Planted, string>> = {
  passkeys: 'the passkeys',
  totp_factors: 'the authenticator app',
  recovery_codes: 'the recovery codes',
  identities: 'the linked accounts of other providers',
  locale: 'the chosen language',
  terms: 'the consent to the terms',
  pending_email: 'a change of the address that had been asked for',
};

function listOf(kinds: readonly Planted[]): string {
  return new Intl.ListFormat('en-GB').format(kinds.map((kind) => planted[kind]));
}

/** What went of an account whose address nobody had proved, which is called by `name` now. */
export function goneWords(name: string, dropped: readonly Planted[]): string[] {
  return [
    `Nobody had confirmed this address before, so the name that was given with it is gone: you are called “${name}” now. Your account page takes the name that you choose.`,
    ...(dropped.length > 0 ? [`What else was set up before is gone too: ${listOf(dropped)}.`] : []),
  ];
}

const english = {
  verifyAddress: (hours: number): EmailContent => ({
    subject: 'Confirm your e-mail address',
    preview: 'One step is left before your first exchange.',
    heading: 'Confirm your e-mail address',
    paragraphs: [
      'An account was opened with this address. Confirm that it is yours: you can exchange as soon as that is done.',
    ],
    action: { label: 'Confirm the address', path: '/verify-email' },
    note: `The link works for ${hours} hours. If you did not open an account, ignore this email.`,
  }),

  verifyNewAddress: (hours: number): EmailContent => ({
    subject: 'Confirm your new e-mail address',
    preview: 'Your old address stays in use until you do.',
    heading: 'Is this your new address?',
    paragraphs: [
      'Somebody who is signed in to your account asked to use this address from now on.',
      'When you confirm it, it takes the place of the old one, and all other sessions end.',
    ],
    action: { label: 'Use this address', path: '/verify-email' },
    note: `The link works for ${hours} hours. If you did not ask for this, ignore this email.`,
  }),

  addressChanged: (name: string, at: Date): EmailContent => ({
    subject: 'Your e-mail address was changed',
    preview: 'Emails about your account go to another address now.',
    heading: `Your address was changed, ${name}`,
    paragraphs: [
      'Your account has another e-mail address from now on. This is the last email to this one.',
    ],
    facts: [{ label: 'When', value: time(at) }],
    note: 'If this was not you, somebody else may be in your account.',
    contact: WRITE,
  }),

  addressChangeAsked: (name: string, at: Date): EmailContent => ({
    subject: 'Somebody wants to change your e-mail address',
    preview: 'Nothing has changed yet. Was this you?',
    heading: `Was this you, ${name}?`,
    paragraphs: [
      'Somebody who is signed in to your account asked to use another e-mail address for it.',
      'Nothing has changed yet: this address stays until the other one is confirmed.',
    ],
    facts: [{ label: 'When', value: time(at) }],
    action: { label: 'Look at your account', path: '/account' },
    note: 'If this was not you, choose a new password at once and take the change back on the page of your account. If you cannot get in any more, write to us.',
    contact: 'Our address',
  }),

  /** To an address that somebody else wants for their account. `name` is null for one that is not proved. */
  addressHasAccount: (name: string | null, at: Date): EmailContent => ({
    subject: 'This address already has an account',
    preview: 'Somebody wanted to use it for another one. Nothing has changed.',
    heading: `Was this you${name === null ? '' : `, ${name}`}?`,
    paragraphs: [
      'Somebody who is signed in to another account asked to use this address for it. This address already belongs to an account of its own, so nothing has changed.',
      'An address can belong to one account only. If you have two, sign in here with this address, or delete this account first and ask again.',
    ],
    facts: [{ label: 'When', value: time(at) }],
    action: { label: 'Look at your account', path: '/account' },
    note: 'If this was not you, you need do nothing: somebody may have mistyped their address.',
  }),

  /** `name` is null for an address that is not proved. */
  resetPassword: (name: string | null, minutes: number): EmailContent => ({
    subject: 'Choose a new password',
    preview: `The link works once, for ${minutes} minutes.`,
    heading: `Choose a new password${name === null ? '' : `, ${name}`}`,
    paragraphs: ['Somebody asked for a new password for your account. Choose it here.'],
    action: { label: 'Choose a new password', path: '/reset-password' },
    note: `The link works once, for ${minutes} minutes. If you did not ask for it, nothing has changed.`,
  }),

  forcedReset: (name: string | null, minutes: number): EmailContent => ({
    subject: 'Choose a new password',
    preview: 'Your old password counts no more.',
    heading: `Choose a new password${name === null ? '' : `, ${name}`}`,
    paragraphs: [
      'To keep your account safe we have ended your sessions, and your old password counts no more.',
      'Choose a new one here. Later you can ask for another link where you sign in.',
    ],
    action: { label: 'Choose a new password', path: '/reset-password' },
    note: `The link works once, for ${minutes} minutes.`,
  }),

  /** `dropped`, beside the name that was given: nobody had proved the address before. */
  passwordChanged: (
    name: string,
    at: Date,
    dropped: readonly Planted[] | null = null,
  ): EmailContent => ({
    subject: 'Your password was changed',
    preview: 'All other sessions have ended.',
    heading: `Your password was changed${dropped ? '' : `, ${name}`}`,
    paragraphs: [
      'The new password counts from now on. All other sessions have ended.',
      ...(dropped ? goneWords(name, dropped) : []),
    ],
    facts: [{ label: 'When', value: time(at) }],
    action: { label: 'Look at your account', path: '/account' },
    note: NOT_YOU,
  }),

  /** `name` is null for an address that is not proved. */
  allowBrowser: (name: string | null, hours: number): EmailContent => ({
    subject: 'Sign in from a new browser',
    preview: 'Many wrong passwords were tried on your account.',
    heading: `Are you signing in${name === null ? '' : `, ${name}`}?`,
    paragraphs: [
      'Many wrong passwords were tried on your account. For now only browsers that you have signed in with before can sign in with your password, even if it is right.',
      'If you cannot sign in, open this link in the browser that you want to use. Then sign in there with your password as usual.',
    ],
    action: { label: 'Allow this browser', path: '/signin/browser' },
    note: `The link works once, for ${hours} hours. Do not pass it on. If you are not signing in, you need do nothing: nobody has got in by this.`,
  }),

  newSignIn: (name: string, { device, ip, at }: SignInFacts): EmailContent => ({
    subject: 'A new sign-in to your account',
    preview: `${device}, ${time(at)}`,
    heading: `Was this you, ${name}?`,
    paragraphs: ['Somebody signed in to your account from a device or network that is new.'],
    facts: [
      { label: 'Device', value: device },
      { label: 'Network address', value: ip },
      { label: 'When', value: time(at) },
    ],
    action: { label: 'Look at your sessions', path: '/account' },
    note: NOT_YOU,
  }),

  accountDeleted: (name: string, at: Date): EmailContent => ({
    subject: 'Your account was deleted',
    preview: 'This is the last email about it.',
    heading: `Goodbye, ${name}`,
    paragraphs: [
      'Your account was deleted, and your personal data with it.',
      'What the law demands stays: answers and proofs of exchanges in which money moved for five years, and amounts and times for good.',
    ],
    facts: [{ label: 'When', value: time(at) }],
  }),
} as const;

export interface SignInFacts {
  readonly device: string;
  readonly ip: string;
  readonly at: Date;
}

const byLocale: Readonly<Record<string, typeof english>> = { en: english };

/** The emails in a language, or in English where nobody has written them yet. */
export function emailsIn(locale: string): typeof english {
  return byLocale[locale] ?? byLocale[locale.slice(0, 2)] ?? english;
}
