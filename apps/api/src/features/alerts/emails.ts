/** Pure: the emails of alerts. The first one of a reserve alert goes to an address that anyone may have typed. */
import type { AlertDirection } from '@cambist/contract/alerts';
import type { EmailContent } from '#features/email/email.ts';
import type { PairRow } from '#features/pairs/pairs.ts';
import { spokenTime } from '#kernel/spoken-time.ts';

interface Reached {
  readonly pair: Pick<PairRow, 'mid_as_of' | 'receive' | 'send' | 'slug'>;
  /** The customer's rate, with the digits it was rounded to. */
  readonly rate: string;
  readonly direction: AlertDirection;
  readonly target: string;
  /** An IANA name. */
  readonly timeZone: string;
}

export function reachedEmail({ pair, rate, direction, target, timeZone }: Reached): EmailContent {
  const { send, receive } = pair;
  const now = `1 ${send.unit} = ${rate} ${receive.unit}`;
  const goal = `${direction === 'at_least' ? 'at least' : 'at most'} ${target} ${receive.unit}`;
  return {
    subject: `Rate alert: ${now}`,
    preview: `Your alert: 1 ${send.unit} gives ${goal}.`,
    heading: `1 ${send.unit} gives ${rate} ${receive.unit}`,
    paragraphs: [
      `You asked for an email when 1 ${send.unit} gives ${goal}. It does now.`,
      'Rates move. This one is yours once you have accepted a quote with it.',
    ],
    facts: [
      { label: 'From', value: `${send.name}, ${send.channel}` },
      { label: 'To', value: `${receive.name}, ${receive.channel}` },
      { label: 'Rate', value: now },
      ...(pair.mid_as_of ? [{ label: 'As of', value: spokenTime(pair.mid_as_of, timeZone) }] : []),
    ],
    action: { label: 'Open the converter', path: `/rates/${pair.slug}` },
    more: { label: 'All your rate alerts', path: '/account/alerts' },
    note: 'This alert is done: you get no more emails about it.',
  };
}

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
