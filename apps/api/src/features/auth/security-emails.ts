/** Emails about changes that a thief would make: each sends one, so that a theft is noticed. */
import type { EmailDeps, Fact } from '#features/email/email.ts';
import type { Tx } from '#platform/db/database.ts';
import { ACCOUNT } from './emails.ts';
import type { UserRow } from './store.ts';
import { emailUser } from './users.ts';

/** A change of who can sign in to the account, and how, or of where its money goes. */
export type SecurityChange =
  | { readonly kind: 'second-factor-on' }
  | { readonly kind: 'authenticator-added' }
  /** `off`: it was the last second factor. */
  | { readonly kind: 'authenticator-removed'; readonly off: boolean }
  | { readonly kind: 'passkey-added'; readonly name: string }
  | { readonly kind: 'passkey-removed'; readonly name: string; readonly off: boolean }
  | { readonly kind: 'recovery-codes-renewed' }
  | { readonly kind: 'recovery-code-used'; readonly left: number }
  | { readonly kind: 'second-factor-removed-by-desk' }
  | { readonly kind: 'password-reset-by-desk'; readonly purged: readonly string[] }
  /** `purged`: the account was unverified and has a new password, which the operator passes on. */
  | { readonly kind: 'admin-made'; readonly purged?: readonly string[] }
  | { readonly kind: 'admin-ended' }
  | {
      readonly kind: 'payout-account-saved';
      readonly name: string;
      readonly facts: readonly Fact[];
    }
  | { readonly kind: 'provider-linked'; readonly provider: string }
  | { readonly kind: 'provider-unlinked'; readonly provider: string };

const BY_USER =
  'If this was not you, change your password at once, end all other sessions on your account page and write to us.';
const BY_DESK = 'If you did not expect this, write to us.';
const OFF = ' It was the last one: signing in no longer asks for a second step.';
/** Only admins cause these. */
const byDesk: ReadonlySet<SecurityChange['kind']> = new Set([
  'password-reset-by-desk',
  'admin-made',
  'admin-ended',
]);

export async function emailSecurityChange(
  deps: EmailDeps,
  tx: Tx,
  user: UserRow,
  change: SecurityChange,
): Promise<void> {
  const [subject, text] = (texts[change.kind] as (given: SecurityChange) => [string, string])(
    change,
  );
  await emailUser(deps, tx, user, {
    kind: change.kind,
    content: {
      subject,
      preview: text,
      heading: subject,
      paragraphs: [text, ...(('purged' in change && change.purged) || [])],
      ...('facts' in change ? { facts: change.facts } : {}),
      action: ACCOUNT,
      note: byDesk.has(change.kind) ? BY_DESK : BY_USER,
      contact: 'Our address',
    },
    // Only an operator causes it, so it may also go to an unverified address.
    ...(change.kind === 'password-reset-by-desk' ? { essential: true as const } : {}),
  });
}

const texts: {
  readonly [Kind in SecurityChange['kind']]: (
    change: Extract<SecurityChange, { kind: Kind }>,
  ) => [subject: string, text: string];
} = {
  'second-factor-on': () => [
    'Your account is now protected by a second step',
    'An authenticator app was added to your account. From now on signing in asks for its code as well. Keep your recovery codes where you can find them without your telephone.',
  ],
  'authenticator-added': () => [
    'An authenticator app was added',
    'The codes of an authenticator app now work as the second step when you sign in.',
  ],
  'authenticator-removed': (change) => [
    'The authenticator app was removed',
    `Its codes no longer work for your account.${change.off ? OFF : ''}`,
  ],
  'passkey-added': (change) => [
    'A passkey was added',
    `The passkey “${change.name}” can now be used to sign in to your account.`,
  ],
  'passkey-removed': (change) => [
    'A passkey was removed',
    `The passkey “${change.name}” can no longer be used to sign in to your account.${change.off ? OFF : ''}`,
  ],
  'recovery-codes-renewed': () => [
    'New recovery codes were created',
    'Ten new recovery codes were created for your account. The old ones no longer work.',
  ],
  'recovery-code-used': (change) => [
    'A recovery code was used',
    `Someone signed in to your account with one of your recovery codes. ${change.left} of them are left.`,
  ],
  'second-factor-removed-by-desk': () => [
    'Your second step was removed',
    'Our desk removed the second step from your account, as was requested. All your sessions have ended. Sign in and set up a new one.',
  ],
  'password-reset-by-desk': () => [
    'Your password was replaced',
    'The operator of this desk gave your account a new password. The old one no longer works, and all your sessions have ended. The operator will give you the new password; choose your own once you are signed in.',
  ],
  'admin-made': (change) => [
    'You are an admin now',
    `An admin of this desk gave you access to its console. All your sessions have ended. ${change.purged ? 'The account has a new password, which the operator of the desk will give you.' : 'Sign in again to use it.'}`,
  ],
  'admin-ended': () => [
    'You are no longer an admin',
    'An admin of this desk removed your access to its console. All your sessions have ended. Your own account and its exchanges stay; sign in again to use them.',
  ],
  'payout-account-saved': (change) => [
    'A payout account was saved',
    `“${change.name}” can now be chosen as the account of a payout.`,
  ],
  'provider-linked': (change) => [
    `${change.provider} was linked to your account`,
    `You can now sign in to your account with ${change.provider}.`,
  ],
  'provider-unlinked': (change) => [
    `${change.provider} was unlinked from your account`,
    `You can no longer sign in to your account with ${change.provider}.`,
  ],
};
