/** Pure: the emails of a reserve alert. The first goes to an address that anyone may have typed. */
import type { EmailContent } from '#features/email/email.ts';

interface Wish {
  /** `2000.00 EUR`. */
  readonly amount: string;
  /** `Euro, SEPA transfer`. */
  readonly currency: string;
}

export function confirmEmail({ amount, currency }: Wish, linkDays: number): EmailContent {
  return {
    subject: `Confirm: an email when ${amount} can be paid out`,
    preview: 'One click, and we write to you once. Without it we send nothing.',
    heading: `Tell you when ${amount} can be paid out?`,
    paragraphs: [
      `This address was entered to be told when we can pay out ${amount} (${currency}). Confirm that it was you; without that we send nothing.`,
      'You then get one email. If we cannot pay out that much within 30 days, you get none.',
    ],
    action: { label: 'Yes, tell me', path: '/reserve-alert/confirm' },
    note: `The link works for ${linkDays} days. If you did not ask for this, ignore this email.`,
  };
}

export function payableEmail({ amount, currency }: Wish, path: string): EmailContent {
  return {
    subject: `${amount} can be paid out now`,
    preview: 'You asked us to write to you.',
    heading: `${amount} can be paid out now`,
    paragraphs: [
      `You asked for an email when we can pay out ${amount} (${currency}). Now we can.`,
      'The amount is yours once you have created an exchange: others may be faster.',
    ],
    action: { label: 'Open the converter', path },
    note: 'This was the only email about it, and your address is no longer stored for it.',
  };
}
