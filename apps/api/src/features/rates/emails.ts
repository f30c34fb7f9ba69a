/** Pure: emails to admins about rates in quarantine and about old rates. */
import { shortest } from '@cambist/money/decimal';
import { areApartBriefly, briefly } from '@cambist/money/brief';
import { spokenTime } from '#kernel/spoken-time.ts';
import type { Fact, EmailContent } from '#features/email/email.ts';
import type { RateApi } from '@cambist/contract/rate-settings';
import { labelOf } from './providers/list.ts';
import type { QuarantineRow } from './quarantine-store.ts';

/** Bounds the email; the page has all. */
const MOST_FACTS = 20;

export function questionsEmail(questions: readonly QuarantineRow[]): EmailContent {
  const count = questions.length;
  const subject =
    count === 1
      ? `A new rate of ${questions[0]?.unit} waits for your decision`
      : `${count} new rates wait for your decision`;
  return {
    subject,
    preview: 'They moved further than your settings allow.',
    heading: subject,
    paragraphs: [
      `A run of the synchronisation brought ${count === 1 ? 'a rate that' : 'rates that'} moved further than your settings allow. Until you accept or reject ${count === 1 ? 'it' : 'them'}, pairs that use ${count === 1 ? 'it' : 'them'} give no new quotes. Quotes that customers hold already are honoured, and pairs with a manual rate go on.`,
      ...andMore(count),
    ],
    facts: questions.slice(0, MOST_FACTS).map(questionFact),
    action: { label: 'Decide', path: '/admin/rates#quarantine' },
    note: 'You get this once for each of these rates, as an admin who may set rates.',
  };
}

function questionFact(question: QuarantineRow): Fact {
  const { unit, base, inverted, reason } = question;
  const [of, per] = inverted ? [base, unit] : [unit, base];
  const rate = shortest(question.rate);
  const previous = question.previous_rate && shortest(question.previous_rate);
  // Fewer digits where they distinguish both rates.
  const write = previous && areApartBriefly([rate, previous]) ? briefly : (text: string) => text;
  const change = shortest(question.change_percent);
  const signed = change.startsWith('-') ? change : `+${change}`;
  const when = reason === 'drift' ? 'was a day before' : 'was';
  const before = previous ? `, ${when} ${write(previous)}` : '';
  return {
    label: unit,
    value: `${write(rate)} ${of} for 1 ${per}${before} (${signed} %), from ${labelOf(question.provider)}`,
  };
}

export interface Overdue {
  readonly unit: string;
  readonly state: 'delayed' | 'stale';
  readonly confirmedAt: Date;
}

export interface Aged {
  readonly overdue: readonly Overdue[];
  /** Of the last run. */
  readonly attempts: readonly { readonly provider: string; readonly message: string }[];
  readonly limits: Pick<RateApi, 'stale_minutes' | 'delayed_lock_minutes'>;
  /** An IANA name. */
  readonly timeZone: string;
}

export function agedEmail(state: 'delayed' | 'stale', aged: Aged): EmailContent {
  const { overdue, attempts, limits, timeZone } = aged;
  const subject = state === 'stale' ? 'Rates are too old: no new quotes' : 'Rates are delayed';
  const effect =
    state === 'stale'
      ? 'Pairs that use the stale ones give no new quotes until a run brings them again. Quotes that customers hold already are honoured.'
      : `Customers see it, and new quotes are held for ${limits.delayed_lock_minutes} minutes at most. ${limits.stale_minutes} minutes after the last run that brought a rate, no new quotes are given with it.`;
  return {
    subject,
    preview: 'The synchronisation does not bring what your pairs need.',
    heading: subject,
    paragraphs: [
      'The synchronisation does not bring all rates that your pairs need. The last accepted ones stay and get older.',
      effect,
      ...andMore(overdue.length),
    ],
    facts: [
      ...overdue.slice(0, MOST_FACTS).map(({ unit, state: age, confirmedAt }) => ({
        label: unit,
        value: `${age}, last received ${spokenTime(confirmedAt, timeZone)}`,
      })),
      ...attempts.map(({ provider, message }) => ({
        label: `Last run: ${labelOf(provider)}`,
        value: message,
      })),
    ],
    action: { label: 'Look at the rates', path: '/admin/rates' },
    note: 'You get this once when it begins, once when it gets worse and once when it is over.',
  };
}

export function recoveredEmail(): EmailContent {
  const subject = 'Rates are up to date again';
  return {
    subject,
    preview: 'The synchronisation brings all that your pairs need.',
    heading: subject,
    paragraphs: [
      'The synchronisation brings all rates again that your pairs need. New quotes are given and held as usual.',
    ],
    action: { label: 'Look at the rates', path: '/admin/rates' },
  };
}

function andMore(count: number): string[] {
  const more = count - MOST_FACTS;
  return more > 0 ? [`${more} more are on the page.`] : [];
}
