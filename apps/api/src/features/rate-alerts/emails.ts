/** The email of a rate alert. Pure. English is the only language yet. */
import { stopRateAlert, type AlertDirection } from '@cambist/contract/rate-alerts';
import type { EmailContent } from '#features/email/email.ts';
import type { PairRow } from '#features/pairs/pairs.ts';
import type { Id } from '#kernel/id.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import { stopLinkOf } from './stop-link.ts';

export interface ToldAlert {
  readonly id: Id;
  readonly pair: Pick<PairRow, 'mid_as_of' | 'receive' | 'send' | 'slug'>;
  /** The customer's rate, with the digits that it was rounded to. */
  readonly rate: string;
  readonly direction: AlertDirection;
  readonly target: string;
  readonly repeats: boolean;
  /** Of the desk's settings, an IANA name. */
  readonly timeZone: string;
}

export function alertEmail(told: ToldAlert): EmailContent {
  const { id, pair, rate, direction, target, repeats, timeZone } = told;
  const { send, receive } = pair;
  const now = `1 ${send.unit} = ${rate} ${receive.unit}`;
  const line = `${direction === 'at_least' ? 'at least' : 'at most'} ${target} ${receive.unit}`;
  return {
    subject: `Rate alert: ${now}`,
    preview: `You asked to hear when 1 ${send.unit} gives ${line}.`,
    heading: `1 ${send.unit} gives ${rate} ${receive.unit}`,
    paragraphs: [
      `You asked us to write when 1 ${send.unit} gives ${line}. It does now.`,
      'Rates move. This one holds for you once you have accepted a price with it.',
    ],
    facts: [
      { label: 'From', value: `${send.name}, ${send.channel}` },
      { label: 'To', value: `${receive.name}, ${receive.channel}` },
      { label: 'Rate', value: now },
      ...(pair.mid_as_of ? [{ label: 'As of', value: spokenTime(pair.mid_as_of, timeZone) }] : []),
    ],
    action: { label: 'Open the converter', path: `/rates/${pair.slug}` },
    link: { label: 'Stop this alert', ...stopLinkOf(id), oneClick: stopRateAlert.path },
    more: { label: 'All your rate alerts', path: '/account/alerts' },
    note: repeats
      ? 'We write again when the rate has gone back over this line and comes again, at most once a day.'
      : 'This alert is done: we do not write about it again.',
  };
}
