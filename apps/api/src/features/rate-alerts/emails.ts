/** Pure: the email of a rate alert. */
import type { AlertDirection } from '@cambist/contract/rate-alerts';
import type { EmailContent } from '#features/email/email.ts';
import type { PairRow } from '#features/pairs/pairs.ts';
import { spokenTime } from '#kernel/spoken-time.ts';

interface AlertEmail {
  readonly pair: Pick<PairRow, 'mid_as_of' | 'receive' | 'send' | 'slug'>;
  /** The customer's rate, with the digits it was rounded to. */
  readonly rate: string;
  readonly direction: AlertDirection;
  readonly target: string;
  /** An IANA name. */
  readonly timeZone: string;
}

export function alertEmail({ pair, rate, direction, target, timeZone }: AlertEmail): EmailContent {
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
