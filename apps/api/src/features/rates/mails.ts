/**
 * The letters about rates to the desk's admins: what waits for their word, and
 * rates that grow old. Pure. English is the only language yet.
 */
import { areApartBriefly, briefly } from '@cambist/money/brief';
import { shortest } from '@cambist/money/decimal';
import { spokenTime } from '#kernel/spoken-time.ts';
import type { Fact, LetterContent } from '#features/mail/mail.ts';
import { presentOpinion } from './opinions.ts';
import type { Overdue } from './overdue.ts';
import { labelOf } from './providers.ts';
import type { listWaiting } from './quarantine-store.ts';
import { utc } from './words.ts';

type Waiting = Awaited<ReturnType<typeof listWaiting>>[number];

/** More are on the page; a provider that is wrong about everything makes no endless letter. */
const MOST_FACTS = 20;

export function quarantineLetter(waiting: readonly Waiting[]): LetterContent {
  const count = waiting.length;
  const one = count === 1;
  const subject = one
    ? `A new rate of ${waiting[0]?.unit} waits for your yes or no`
    : `${count} new rates wait for your yes or no`;
  return {
    subject,
    preview: 'They are not believed without you.',
    heading: subject,
    paragraphs: [
      `A run of the synchronisation brought ${one ? 'a rate that' : 'rates that'} moved further than your settings allow, that another provider contradicts, or that nothing known compares with. Until you decide, pairs that are made of ${one ? 'it' : 'them'} give no new quotes. Quotes that are held already are honoured, and pairs whose rate you set by hand go on.`,
      ...andMore(count),
    ],
    facts: waiting.slice(0, MOST_FACTS).map(moved),
    action: { label: 'Decide', path: '/admin/rates#quarantine' },
    note: 'You get this once for each of these rates, as an admin who may set rates.',
  };
}

function moved(row: Waiting): Fact {
  const { unit, base, inverted } = row;
  const [of, per] = inverted ? [base, unit] : [unit, base];
  const write = writingOf(row);
  const said = `${write(row.rate)} ${of} for 1 ${per}`;
  const by = `, by ${labelOf(row.provider)}`;
  const against = row.contradicted_by && `, contradicted by ${labelOf(row.contradicted_by)}`;
  return {
    label: unit,
    value: `${said}${comparison(row, write)}${by}${against ?? ''}${othersOn(row, of, write)}`,
  };
}

type Write = (rate: string) => string;

/** As on the card: what was computed has eighteen decimals, and the first are enough where they tell the figures apart. */
function writingOf({ rate, previous_rate, opinions }: Waiting): Write {
  const others = (opinions ?? []).map((each) => each.rate);
  const all = [rate, previous_rate, ...others].flatMap((each) => (each ? [shortest(each)] : []));
  return areApartBriefly(all) ? (each) => briefly(shortest(each)) : shortest;
}

function comparison({ reason, previous_rate, change_percent }: Waiting, write: Write): string {
  if (change_percent === null) return ', which nothing known compares with';
  const change = shortest(change_percent);
  const signed = change.startsWith('-') ? change : `+${change}`;
  // What it was compared with may be too long or too small to be written.
  const before = previous_rate && write(previous_rate);
  // It is not the rate before this one that it is too far from. A day begins anew with an admin's yes.
  if (reason === 'drift') {
    const then =
      before &&
      `; 24 hours before, when first known, or when last accepted by an admin, it was ${before}`;
    return `, moved too far for a day${then ?? ''} (${signed} %)`;
  }
  return `${before ? `, was ${before}` : ''} (${signed} %)`;
}

/** What other providers say of it, in plain words also where that is nothing. */
function othersOn(row: Waiting, of: string, write: Write): string {
  const { opinions } = row;
  if (opinions === null) return '';
  if (opinions.length === 0) return '. No other provider was asked';
  return opinions
    .map((each) => presentOpinion(row, each))
    .map(({ label, rate, away_percent, answered, heard_at, as_of }) => {
      if (rate !== null) {
        const time = as_of && `, of ${utc(new Date(as_of))}`;
        return `. ${label} says ${write(rate)} ${of} (${away_percent?.replace('-', '')} % away${time ?? ''})`;
      }
      const asked = `asked ${utc(new Date(heard_at))}`;
      return answered
        ? `. ${label} gave no rate of it that could be believed, ${asked}`
        : `. ${label} gave no usable answer, ${asked}`;
    })
    .join('');
}

export interface Aged {
  readonly overdue: readonly Overdue[];
  /** What became of the providers in the last run, in our words. */
  readonly attempts: readonly { readonly provider: string; readonly message: string }[];
  readonly limits: {
    readonly delayed_minutes: number;
    readonly stale_minutes: number;
    readonly delayed_lock_minutes: number;
  };
  /** Of the desk's settings, an IANA name. */
  readonly timeZone: string;
}

/** Rates became delayed or stale, since runs do not bring them. */
export function agedLetter(state: 'delayed' | 'stale', aged: Aged): LetterContent {
  const { overdue, attempts, limits, timeZone } = aged;
  const subject = state === 'stale' ? 'Rates are too old: no new quotes' : 'Rates are delayed';
  const effect =
    state === 'stale'
      ? 'Pairs that are made of the stale ones give no new quotes until a run brings them again. Quotes that are held already are honoured.'
      : `Customers see it, and new quotes are held for ${limits.delayed_lock_minutes} minutes at most. ${limits.stale_minutes} minutes after the last run that brought a rate, no new quotes are given with it.`;
  return {
    subject,
    preview: 'The synchronisation does not bring what your pairs need.',
    heading: subject,
    paragraphs: [
      'The synchronisation does not bring all rates that your pairs need. The last good ones stand and grow older.',
      effect,
      ...andMore(overdue.length),
    ],
    facts: [
      ...overdue.slice(0, MOST_FACTS).map(({ unit, state: age, confirmedAt }) => ({
        label: unit,
        value: `${age}, last brought ${spokenTime(confirmedAt, timeZone)}`,
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

export function recoveredLetter(): LetterContent {
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
