import type { Email, Fact } from '#features/email/email.ts';
import { ACCOUNT } from '#features/auth/emails.ts';

export function accountSaved(name: string, facts: readonly Fact[]): Omit<Email, 'to'> {
  return {
    kind: 'payout-account-saved',
    content: {
      subject: 'A payout account was saved',
      preview: 'If this was not you, delete it and change your password at once.',
      heading: 'A payout account was saved',
      paragraphs: [`“${name}” can now be chosen as the account of a payout.`],
      facts: facts.map(({ label, value }) => ({ label, value })),
      action: ACCOUNT,
      note: 'If this was not you, delete it on your account page, change your password at once and write to us.',
      contact: 'Our address',
    },
  };
}
