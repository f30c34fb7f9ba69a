/** Pure: the emails to a customer about an exchange. */
import type { Fact, EmailContent } from '#features/email/email.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { breakdownOf, displayRate } from '#features/pairs/price.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import { statusLinkOf } from './status-link.ts';
import { changedAmounts, hasNoReference, recordTexts, toPay } from './record-emails.ts';
import { openRefunds, sentPayout, type Records } from './records.ts';
import type { Exchange } from './store/exchanges.ts';

export interface Subject {
  readonly before: Exchange;
  readonly exchange: Exchange;
  readonly records: Records;
  /** Given by who acted. */
  readonly reason: string | null;
  readonly proofCount: number;
  readonly toleranceMinor: bigint;
  /** An IANA name. */
  readonly timeZone: string;
}

export type Texts = Pick<
  EmailContent,
  'subject' | 'preview' | 'heading' | 'paragraphs' | 'note' | 'contact'
> & {
  readonly facts?: readonly Fact[];
};

/** Null for an action without an email. */
export function emailAbout(
  action: string,
  subject: Subject,
): { kind: string; content: EmailContent } | null {
  const texts = (textsByAction[action] ?? recordTexts[action])?.(subject);
  if (!texts) return null;
  const facts = texts.facts ?? summary(subject.exchange);
  return {
    kind: `exchange-${kinds[action] ?? action}`,
    content: { ...texts, facts, ...linksOf(subject.exchange) },
  };
}

/** A message of the desk, word for word. */
export function emailOfMessage(exchange: Exchange, text: string) {
  const { number } = exchange;
  return {
    kind: 'exchange-message',
    content: {
      subject: `Exchange ${number}: the desk has written to you`,
      preview: text,
      heading: 'The desk has written to you',
      paragraphs: [text, 'You can answer on the page of your exchange.'],
      facts: summary(exchange),
      ...linksOf(exchange),
    },
  };
}

function linksOf({ id, number }: Exchange) {
  return {
    action: { label: 'Open the exchange', path: `/exchanges/${number}` },
    link: {
      label: 'Status without signing in, also for people you share this link with',
      ...statusLinkOf(id),
    },
  };
}

/** The kinds in the admins' list of emails. */
const kinds: Readonly<Record<string, string>> = {
  create: 'created',
  upload_proof: 'proof-received',
  submit: 'proof-received',
  undo: 'taken-back',
  cancel: 'cancelled',
  expire: 'expired',
  claim: 'under-review',
  approve: 'approved',
  complete: 'completed',
  reject: 'rejected',
  record_receipt: 'received',
  reverse_receipt: 'receipt-reversed',
  ask: 'question',
  answer_overdue: 'answer-overdue',
  change_payout: 'payout-changed',
  refund: 'refund-begun',
  set_refund_account: 'refund-account',
  pay_refund: 'refund-paid',
  return_refund: 'refund-returned',
  record_late_receipt: 'late-payment',
  reopen: 'payout-returned',
};

const textsByAction: Readonly<Record<string, (subject: Subject) => Texts>> = {
  create: created,
  upload_proof: ({ exchange: { number } }) => ({
    subject: `Exchange ${number}: another proof received`,
    preview: 'It was added to your exchange.',
    heading: 'We have your new proof',
    paragraphs: [
      'Your file was added to the exchange. An operator will look at it with the others.',
    ],
  }),
  submit: submitted,
  undo: ({ exchange, timeZone }) => ({
    subject: `Exchange ${exchange.number}: your payment notice was taken back`,
    preview: `It waits for your payment again, until ${spokenTime(exchange.pay_by, timeZone)}.`,
    heading: 'Waiting for your payment again',
    paragraphs: [
      `You took back the notice that you had paid. You can pay until ${spokenTime(exchange.pay_by, timeZone)}.`,
    ],
  }),
  cancel: ({ exchange }) => ({
    subject: `Exchange ${exchange.number} was cancelled`,
    preview: 'Nothing needs to be paid.',
    heading: 'Your exchange was cancelled',
    paragraphs: [
      'You cancelled this exchange, and the money that was set aside for it is free again. Please do not pay for it any more.',
    ],
    facts: summaryWithoutPayout(exchange),
  }),
  expire: ({ exchange, timeZone }) => ({
    subject: `Exchange ${exchange.number} has expired`,
    preview: 'No payment was reported in time. Please do not pay for it any more.',
    heading: 'Your exchange has expired',
    paragraphs: [
      `No payment was reported by ${spokenTime(exchange.pay_by, timeZone)}, so the rate is no longer locked. Please do not pay for it any more; start a new exchange instead.`,
      'If you have paid already, answer this email or write to us with your proof of payment: we find your payment by its ' +
        (hasNoReference(exchange.send) ? 'transaction hash.' : 'reference.'),
    ],
    facts: summaryWithoutPayout(exchange),
    contact: 'Our address',
  }),
  claim: ({ exchange: { number }, before }) => ({
    subject: `Exchange ${number} is being checked`,
    preview: 'An operator compares your payment with your proof.',
    heading: 'Your payment is being checked',
    paragraphs: [
      `${before.state === 'on_hold' ? 'You need not answer our question any more. ' : ''}An operator compares your payment with your proof. You need do nothing.`,
    ],
  }),
  approve: ({ exchange, before, records }) => ({
    subject: `Exchange ${exchange.number} was approved`,
    preview: `${withUnit(exchange.payout_minor, exchange.receive)} are on the way to being paid out.`,
    heading: 'Your payment was approved',
    paragraphs: [
      `Your payment has arrived and was approved. ${withUnit(exchange.payout_minor, exchange.receive)} are paid out next.`,
      ...changedAmounts(before, exchange),
      ...excess(exchange, records),
    ],
  }),
  complete: ({ exchange, before, records }) => ({
    subject: `Exchange ${exchange.number} is complete`,
    preview: `${withUnit(exchange.payout_minor, exchange.receive)} were paid out.`,
    heading: 'Your money was paid out',
    paragraphs: [
      `${withUnit(exchange.payout_minor, exchange.receive)} were paid out to you. How long they take to arrive depends on the channel.`,
      ...changedAmounts(before, exchange),
      ...excess(exchange, records),
    ],
    facts: [
      ...summary(exchange),
      ...optional('Payout reference', sentPayout(records)?.reference ?? null),
      ...answers(exchange),
    ],
  }),
  reject: ({ exchange }) => ({
    subject: `Exchange ${exchange.number} was not approved`,
    preview: exchange.closed_reason ?? 'An operator has looked at it.',
    heading: 'Your exchange was not approved',
    paragraphs: [
      'An operator has looked at your exchange and could not approve it. The reason:',
      exchange.closed_reason ?? '',
      'If you think that this is a mistake, or if your money has arrived with us, write to us.',
    ],
    facts: summaryWithoutPayout(exchange),
    contact: 'Our address',
  }),
};

function excess(exchange: Exchange, records: Records): string[] {
  const open = openRefunds(records).reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
  if (open === 0n) return [];
  return [
    `${withUnit(open, exchange.send)} more than expected came and go back to you: enter an account for them on the page of your exchange.`,
  ];
}

function created({ exchange, timeZone }: Subject): Texts {
  const { number, send_minor, send, pay_by, payee } = exchange;
  const amount = withUnit(send_minor, send);
  const until = spokenTime(pay_by, timeZone);
  return {
    subject: `Exchange ${number}: please pay ${amount} by ${until}`,
    preview: hasNoReference(send)
      ? 'Your rate is locked. Keep the transaction hash of your transfer.'
      : `Your rate is locked. The reference of your payment: ${exchange.transfer_reference}`,
    heading: `Please pay ${amount}`,
    paragraphs: [
      hasNoReference(send)
        ? `Your rate is locked and your payout is set aside. Pay exactly ${amount} by ${until}, and then tell us so on the page of your exchange, with the transaction hash that your wallet shows.`
        : `Your rate is locked and your payout is set aside. Pay exactly ${amount} by ${until}, with the reference ${exchange.transfer_reference}, and then tell us so on the page of your exchange.`,
      ...(payee.instructions === '' ? [] : [payee.instructions]),
    ],
    facts: [
      ...toPay(exchange, send_minor),
      { label: 'Pay by', value: until },
      ...parameters(exchange),
      ...answers(exchange),
    ],
    note: 'Pay from an account of your own. If you did not start this exchange, do not pay, and write to us.',
    contact: 'Our address',
  };
}

function submitted({ exchange, proofCount }: Subject): Texts {
  const proven = proofCount > 0;
  const known = hasNoReference(exchange.send) ? 'Transaction hash' : 'Your reference';
  return {
    subject: proven
      ? `Exchange ${exchange.number}: proof of payment received`
      : `Exchange ${exchange.number}: payment notice received`,
    preview: 'An operator will check your payment.',
    heading: proven ? 'We have your proof of payment' : 'We have your payment notice',
    paragraphs: [
      `${proven ? `${proofCount === 1 ? 'Your proof is' : `Your ${proofCount} proofs are`} here.` : 'You told us that you have paid.'} An operator checks your payment next, and you get an email with the outcome.`,
    ],
    facts: [...summary(exchange), ...optional(known, exchange.payment_reference)],
  };
}

function summary(exchange: Exchange): Fact[] {
  const { number, send_minor, send, payout_minor, receive } = exchange;
  return [
    { label: 'Exchange', value: number },
    { label: 'You send', value: withUnit(send_minor, send) },
    { label: 'You receive', value: withUnit(payout_minor, receive) },
  ];
}

/** For an exchange that ended without a payout. */
function summaryWithoutPayout(exchange: Exchange): Fact[] {
  const { number, send_minor, send, payout_minor, receive } = exchange;
  return [
    { label: 'Exchange', value: number },
    { label: 'You were to send', value: withUnit(send_minor, send) },
    { label: 'You would have received', value: withUnit(payout_minor, receive) },
  ];
}

/** Every line of the price, so that the customer can redo it. */
function parameters(exchange: Exchange): Fact[] {
  const { send, receive, send_fee_minor, receive_fee_minor, payout_minor } = exchange;
  const lines = breakdownOf(exchange, exchange);
  const rounding = exchange.gross_minor - receive_fee_minor - payout_minor;
  return [
    ...(send_fee_minor === 0n
      ? []
      : [
          { label: 'Fee', value: withUnit(send_fee_minor, send) },
          { label: 'Exchanged', value: `${lines.exchanged_amount} ${send.unit}` },
        ]),
    { label: 'Rate', value: `1 ${send.unit} = ${displayRate(exchange)} ${receive.unit}` },
    ...(receive_fee_minor === 0n && rounding === 0n
      ? []
      : [{ label: 'Comes to', value: `${lines.gross_amount} ${receive.unit}` }]),
    ...(receive_fee_minor === 0n
      ? []
      : [{ label: 'Payout fee', value: withUnit(receive_fee_minor, receive) }]),
    ...(rounding === 0n ? [] : [{ label: 'Rounded down by', value: withUnit(rounding, receive) }]),
    { label: 'You receive', value: withUnit(payout_minor, receive) },
    { label: 'By', value: receive.channel },
  ];
}

function answers({ payout_fields, sender_fields }: Exchange): Fact[] {
  return [
    ...payout_fields.map(({ label, value }) => ({ label: `Payout: ${label}`, value })),
    ...sender_fields.map(({ label, value }) => ({ label: `Sender: ${label}`, value })),
  ];
}

function optional(label: string, value: string | null): Fact[] {
  return value === null || value === '' ? [] : [{ label, value }];
}
