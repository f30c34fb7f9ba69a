/** Pure: the emails to a customer about receipts, questions, payouts and refunds. */
import type { Fact } from '#features/email/email.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import type { Subject, Texts } from './emails.ts';
import { differenceOf, missingMinor, openRefunds, type Refund } from './records.ts';

export const recordTexts: Readonly<Record<string, (subject: Subject) => Texts | null>> = {
  record_receipt: received,
  reverse_receipt: ({ exchange, reason }) => ({
    subject: `Exchange ${exchange.number}: a payment was taken off`,
    preview: 'It had been entered by mistake.',
    heading: 'A payment was entered by mistake',
    paragraphs: [
      `We took a payment off this exchange, because it had been entered by mistake: ${reason ?? ''}`,
      `Received so far: ${withUnit(exchange.received_minor, exchange.send)}.`,
    ],
    contact: 'Our address',
  }),
  ask: ({ exchange, records, toleranceMinor, timeZone }) => {
    const { text = '', answer_by, wants = 'answer' } = records.questions.at(-1) ?? {};
    const missing = wants === 'payment' ? missingMinor(exchange, toleranceMinor) : 0n;
    const wanted = wants === 'payment' && missing === 0n ? 'answer' : wants;
    const until = answer_by ? spokenTime(answer_by, timeZone) : '';
    return {
      subject: `Exchange ${exchange.number}: we have a question, please answer by ${until}`,
      preview: text,
      heading: 'We have a question',
      paragraphs: [
        'Before we can go on with your exchange, we need something from you:',
        text,
        `Please answer on the page of your exchange by ${until}. ${WANTED[wanted]}`,
        ...(missing > 0n && exchange.payee.instructions !== ''
          ? [exchange.payee.instructions]
          : []),
      ],
      ...(missing > 0n && { facts: toPay(exchange, missing) }),
    };
  },
  answer_overdue: ({ exchange }) => ({
    subject: `Exchange ${exchange.number}: your answer is missing`,
    preview: 'We decide with what we have.',
    heading: 'The time to answer is over',
    paragraphs: [
      'We did not get an answer in time, so an operator decides with what we have. You can still write to us on the page of your exchange.',
    ],
  }),
  change_payout: ({ exchange, timeZone }) => ({
    subject: `Exchange ${exchange.number}: the account of your payout was changed`,
    preview: 'If this was not you, write to us at once.',
    heading: 'The account of your payout was changed',
    paragraphs: [
      'Your payout goes to this account now.',
      ...(exchange.payout_waits_until === null
        ? []
        : [
            `For your safety the payout may wait until ${spokenTime(exchange.payout_waits_until, timeZone)}.`,
          ]),
    ],
    facts: exchange.payout_fields.map(({ label, value }) => ({ label, value })),
    note: 'If you did not change it, somebody else uses your account: write to us at once and change your password.',
    contact: 'Our address',
  }),
  refund: ({ exchange, records, reason }) => {
    const begun = records.refunds.at(-1);
    return {
      subject: `Exchange ${exchange.number}: we return your money`,
      preview: `${begun ? comes(begun, exchange) : ''} go back to you.`,
      heading: 'We return your money',
      paragraphs: [
        'This exchange ends without a payout, and what you paid goes back to you. The reason:',
        reason ?? '',
        whereTo(begun),
      ],
      facts: refundFacts(begun, exchange),
    };
  },
  set_refund_account: ({ exchange, records }) => ({
    subject: `Exchange ${exchange.number}: the account of your refund`,
    preview: 'If this was not you, write to us at once.',
    heading: 'We have the account of your refund',
    paragraphs: ['Your refund goes to this account.'],
    facts: refundFacts(openRefunds(records).at(-1), exchange),
    note: 'If you did not name it, somebody else uses your account: write to us at once and change your password.',
    contact: 'Our address',
  }),
  pay_refund: ({ exchange, records }) => {
    const [paid] = records.refunds
      .filter(({ state }) => state === 'paid')
      .toSorted((a, b) => (b.paid_at ?? b.at).getTime() - (a.paid_at ?? a.at).getTime());
    return {
      subject: `Exchange ${exchange.number}: your refund was paid`,
      preview: `${paid ? comes(paid, exchange) : ''} were paid back to you.`,
      heading: 'Your refund was paid',
      paragraphs: [
        `${paid ? comes(paid, exchange) : ''} were paid back to you. How long they take to arrive depends on the channel.`,
      ],
      facts: refundFacts(paid, exchange),
    };
  },
  return_refund: ({ exchange, records, reason }) => ({
    subject: `Exchange ${exchange.number}: your refund came back to us`,
    preview: 'Please enter another account for it.',
    heading: 'Your refund came back to us',
    paragraphs: [
      `The refund could not be delivered: ${reason ?? ''}`,
      'Please enter another account for it on the page of your exchange.',
    ],
    facts: refundFacts(openRefunds(records).at(-1), exchange),
  }),
  record_late_receipt: late,
  reopen: ({ exchange, reason }) => ({
    subject: `Exchange ${exchange.number}: your payout came back to us`,
    preview: 'Please check the account of your payout.',
    heading: 'Your payout came back to us',
    paragraphs: [
      `The payout of ${withUnit(exchange.payout_minor, exchange.receive)} could not be delivered: ${reason ?? ''}`,
      'Please check the account below, and change it on the page of your exchange if it is wrong. We pay it out again.',
    ],
    facts: exchange.payout_fields.map(({ label, value }) => ({ label, value })),
  }),
};

const WANTED = {
  answer: 'A few words are enough.',
  proof: 'Please upload another proof of payment.',
  payment: 'Please pay what is missing, and tell us then.',
} as const;

/** A transfer on a chain is identified by its hash. */
export function hasNoReference({ kind }: Subject['exchange']['send']): boolean {
  return kind === 'chain';
}

export function toPay(exchange: Subject['exchange'], minor: bigint): Fact[] {
  const { number, payee, send, transfer_reference } = exchange;
  return [
    { label: 'Exchange', value: number },
    { label: 'Pay', value: withUnit(minor, send) },
    { label: 'To', value: payee.label },
    ...payee.details.map(({ label, value }) => ({ label, value })),
    ...(hasNoReference(send) ? [] : [{ label: 'Reference', value: transfer_reference }]),
  ];
}

function received({ exchange, records, toleranceMinor, timeZone }: Subject): Texts {
  const { number, send, state, pay_by } = exchange;
  const amount = withUnit(records.receipts.at(-1)?.amount_minor ?? 0n, send);
  const excess = records.refunds.findLast(
    ({ receipt_id }) => receipt_id === records.receipts.at(-1)?.id,
  );
  const difference = differenceOf(exchange);
  const missing = missingMinor(exchange, toleranceMinor);
  const next = excess
    ? 'Your exchange is decided already, so this payment goes back to you. Please enter an account for it on the page of your exchange.'
    : missing > 0n
      ? `${withUnit(missing, send)} of the expected ${withUnit(exchange.send_minor, send)} are missing. ${
          state === 'awaiting_payment'
            ? `Please pay them by ${spokenTime(pay_by, timeZone)}.`
            : 'An operator decides how to go on, and you get an email.'
        }`
      : difference > toleranceMinor
        ? `This is ${withUnit(difference, send)} more than expected. An operator decides how to go on, and you get an email.`
        : 'An operator checks it next.';
  return {
    subject: `Exchange ${number}: we received ${amount}`,
    preview: next,
    heading: `We received ${amount}`,
    paragraphs: [next],
  };
}

function late(subject: Subject): Texts {
  const { exchange, before, records } = subject;
  const amount = withUnit(records.receipts.at(-1)?.amount_minor ?? 0n, exchange.send);
  const refund = exchange.state === 'refund_pending' ? records.refunds.at(-1) : undefined;
  return {
    subject: `Exchange ${exchange.number}: your payment arrived late`,
    preview: refund ? 'It goes back to you.' : 'Your exchange goes on.',
    heading: `We received ${amount} after the end`,
    paragraphs: refund
      ? [
          `Your payment came after this exchange had ended, so it goes back to you.`,
          whereTo(refund),
        ]
      : [
          'Your payment came after this exchange had ended. It goes on all the same, and an operator checks your payment next.',
          ...changedAmounts(before, exchange),
        ],
    ...(refund && { facts: refundFacts(refund, exchange) }),
  };
}

/** Old and new amounts, where they were recalculated. */
export function changedAmounts(before: Subject['exchange'], after: Subject['exchange']): string[] {
  const { send, receive } = after;
  if (before.payout_minor === after.payout_minor && before.send_minor === after.send_minor)
    return [];
  return [
    `For ${withUnit(after.send_minor, send)} you receive ${withUnit(after.payout_minor, receive)}. It was ${withUnit(before.payout_minor, receive)} for ${withUnit(before.send_minor, send)}.`,
  ];
}

/** What arrives: the amount without the charge. */
function comes({ amount_minor, charge_minor }: Refund, { send }: Subject['exchange']): string {
  return withUnit(amount_minor - charge_minor, send);
}

function whereTo(refund: Refund | undefined): string {
  return refund?.account === null
    ? 'Please enter the account for it on the page of your exchange.'
    : 'It is paid to the account below.';
}

export function refundFacts(refund: Refund | undefined, exchange: Subject['exchange']): Fact[] {
  if (refund === undefined) return [];
  const { amount_minor, charge_minor, account, reference } = refund;
  return [
    { label: 'Exchange', value: exchange.number },
    { label: 'Refund', value: withUnit(amount_minor, exchange.send) },
    ...(charge_minor === 0n
      ? []
      : [
          { label: 'Charge', value: withUnit(charge_minor, exchange.send) },
          { label: 'You get', value: comes(refund, exchange) },
        ]),
    ...(account === null ? [] : [{ label: 'Account', value: account }]),
    ...(reference === null ? [] : [{ label: 'Reference', value: reference }]),
  ];
}
