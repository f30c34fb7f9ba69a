/** Emails about ways in that came or went. Sent whenever one does, so that a thief is noticed. */
import type { Deps } from '#platform/deps.ts';
import type { Tx } from '#platform/db/database.ts';
import { enqueueEmail, type EmailContent } from '#features/email/email.ts';
import { recipientOf } from './people.ts';
import type { UserRow } from './store.ts';

/** What happened, with what it was called where it has a name. */
export type SecurityChange =
  | { readonly kind: 'second-factor-on' }
  | { readonly kind: 'authenticator-added' }
  | { readonly kind: 'authenticator-removed'; readonly off: boolean }
  | { readonly kind: 'passkey-added'; readonly name: string }
  | { readonly kind: 'passkey-removed'; readonly name: string; readonly off: boolean }
  | { readonly kind: 'recovery-codes-renewed' }
  | { readonly kind: 'recovery-code-used'; readonly left: number }
  | { readonly kind: 'second-factor-removed-by-desk' }
  /** `gone`: what is said of what went with it. */
  | { readonly kind: 'password-reset-by-desk'; readonly gone: readonly string[] }
  /** With `gone`: nobody had proved the account, so whoever runs the desk has set it up anew. */
  | { readonly kind: 'admin-made'; readonly gone?: readonly string[] }
  | { readonly kind: 'admin-ended' }
  | { readonly kind: 'provider-linked'; readonly provider: string }
  | { readonly kind: 'provider-unlinked'; readonly provider: string };

const MADE = 'An admin of this desk gave you access to its console. All your sessions have ended.';
const AGAIN = 'Sign in again to use it.';
const ANEW = 'The account has a new password: whoever runs the desk knows it and gives it to you.';
const OFF = 'It was the last one: signing in asks for no second step any more.';

export async function postSecurityChange(
  deps: Pick<Deps, 'keys' | 'jobs' | 'clock' | 'config'>,
  tx: Tx,
  user: UserRow,
  change: SecurityChange,
): Promise<void> {
  await enqueueEmail(deps, tx, {
    kind: change.kind,
    to: recipientOf(user),
    content: securityEmail(user.locale, change),
    // No stranger causes it, so it also goes to an address that nobody has proved.
    ...(change.kind === 'password-reset-by-desk' ? { essential: true } : {}),
  });
}

const BY_PERSON =
  'If this was not you, change your password at once, end all other sessions on your account page and write to us.';
const BY_DESK = 'If you did not expect this, write to us.';
/** What only an admin does to somebody. */
const byDesk: ReadonlySet<SecurityChange['kind']> = new Set([
  'password-reset-by-desk',
  'admin-made',
  'admin-ended',
]);

/** The words of one. There is only English so far; other languages fall back to it. */
export function securityEmail(_locale: string, change: SecurityChange): EmailContent {
  const { subject, text } = words(change);
  return {
    subject,
    preview: text,
    heading: subject,
    paragraphs: [text, ...('gone' in change ? change.gone : [])],
    action: { label: 'Look at your account', path: '/account' },
    note: byDesk.has(change.kind) ? BY_DESK : BY_PERSON,
    contact: 'Our address',
  };
}

function words(change: SecurityChange): { subject: string; text: string } {
  switch (change.kind) {
    case 'second-factor-on':
      return {
        subject: 'Your account is now protected by a second step',
        text: 'An authenticator app was added to your account. From now on signing in asks for its code as well. Keep your recovery codes where you will find them without your telephone.',
      };
    case 'authenticator-added':
      return {
        subject: 'An authenticator app was added',
        text: 'The codes of an authenticator app now work as the second step when you sign in.',
      };
    case 'authenticator-removed':
      return {
        subject: 'The authenticator app was removed',
        text: `Its codes do not work for your account any more. ${change.off ? OFF : ''}`.trim(),
      };
    case 'passkey-added':
      return {
        subject: 'A passkey was added',
        text: `The passkey “${change.name}” can now be used to sign in to your account.`,
      };
    case 'passkey-removed':
      return {
        subject: 'A passkey was removed',
        text: `The passkey “${change.name}” does not open your account any more. ${change.off ? OFF : ''}`.trim(),
      };
    case 'recovery-codes-renewed':
      return {
        subject: 'New recovery codes were made',
        text: 'Ten new recovery codes were made for your account. The old ones do not work any more.',
      };
    case 'recovery-code-used':
      return {
        subject: 'A recovery code was used',
        text: `Somebody signed in to your account with one of your recovery codes. ${change.left} of them are left.`,
      };
    case 'second-factor-removed-by-desk':
      return {
        subject: 'Your second step was taken off',
        text: 'Our desk took the second step off your account, as was asked for. All your sessions have ended. Sign in and set up a new one.',
      };
    case 'password-reset-by-desk':
      return {
        subject: 'Your password was replaced',
        text: 'Whoever runs this desk gave your account a new password. The old one counts no more, and all your sessions have ended. Whoever replaced it tells you the new one; choose your own once you are in.',
      };
    case 'admin-made':
      return {
        subject: 'You are an admin now',
        text: `${MADE} ${change.gone ? ANEW : AGAIN}`,
      };
    case 'admin-ended':
      return {
        subject: 'You are no longer an admin',
        text: 'An admin of this desk took your access to its console away. All your sessions have ended. Your own account and its exchanges stay; sign in again to use them.',
      };
    case 'provider-linked':
      return {
        subject: `${change.provider} was linked to your account`,
        text: `Your account can now be opened by signing in with ${change.provider}.`,
      };
    case 'provider-unlinked':
      return {
        subject: `${change.provider} was unlinked from your account`,
        text: `Signing in with ${change.provider} does not open your account any more.`,
      };
  }
}
