/**
 * Which columns of an imported list hold the addresses, the languages, and what there
 * is to know of who gets letters. By the headings that Mailchimp, Brevo, MailerLite,
 * Substack, HubSpot, Shopify and others write, and by what stands below them. Pure.
 */
import type { CsvRow } from '#kernel/read-csv.ts';
import { isAddress, isKnownState, noted, plain } from './import-words.ts';

/**
 * What a column tells: a `state` in words, where nothing is no obstacle; a wish that must
 * be a `yes`; or a refusal, of which there must be none (`no`).
 */
export type Says = 'state' | 'yes' | 'no';

export interface StateColumn {
  readonly at: number;
  readonly name: string;
  readonly says: Says;
}

/** Where the columns stand; -1 for what the file has not. */
export interface Columns {
  readonly email: number;
  readonly locale: number;
  readonly states: readonly StateColumn[];
  /** The first row, where it names them and is nobody's. */
  readonly heading: readonly string[] | null;
}

const localeNames = /^((preferred|e ?mail) )?(locale|language|lang)( code)?$/;
/** Of another way to reach somebody than letters. */
const elsewhere = /\b(sms|texts?|phone|mobile|push|whats ?app|postal)\b/;
/** About a refusal, and not whether there is one. */
const noRefusal = /\b(links?|urls?|hash|token|count|total|score|rate|number|page)\b/;
const refusals =
  /\b(unsub\w*|opt(ed)? ?outs?|(black|block|deny|stop) ?list(ed)?|blocked|bounced?|suppress\w*|complain\w*|spam|disabled|do ?not (e ?)?(mail|contact|market)|clean(ed)?|invalid|ineligible|deleted|removed|quarantined|non ?subscri\w*|not subscribed|revoked|withdrawn|objected)\b|^left( at| on| date)?$/;
/** When, how or where from, and not whether. */
const details =
  /\b(dates?|time|timestamp|at|on|since|ip|country|source|reason|text|notes?|comments?|id|level|tier|method|type|version|urls?|links?|campaign|by|days?|count|total|rate|score)\b/;
const wishes =
  /\b(subscribed?|opt(ed)? ?in|accepts?( e ?mail)? marketing|accepts? (e ?mails?|newsletters?)|consent(ed)?|permission|mailable|newsletters?)\b|^(e ?mail )?(is )?(active|confirmed|verified|enabled)$|^(e ?mail )?marketing$/;
/** Of what else than an order, a lead or a marriage a list tells the state. */
const stateNames =
  /^((e|mail|e?mails|email|mailing|list|newsletter|marketing|subscription|subscribers?|contact|member|recipient|user|profile|account|delivery|verification|validation|current|global) )*(status|state)$/;
const regions = /\b(city|town|zip|post(al)? ?code|street|country|province|address ?2)\b/;

/** Null where there is no column of addresses. `rows` are the first of the file. */
export function columnsOf(rows: readonly CsvRow[]): Columns | null {
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const isNamed = !first.cells.some((cell) => isAddress(cell.trim()));
  const heading = isNamed ? first.cells.map((cell) => noted(cell.trim())) : null;
  const below = isNamed ? others : rows;
  const names = heading?.map(plain) ?? first.cells.map(() => '');
  const email = addressColumn(names, below);
  if (email === -1) return null;
  const states = names.flatMap((name, at) => {
    const says = at === email ? null : saysOf(name);
    if (says === null || isRegion(names, at, below)) return [];
    return [{ at, name: heading?.[at] ?? '', says }];
  });
  return { email, locale: names.findIndex((name) => localeNames.test(name)), states, heading };
}

function saysOf(name: string): Says | null {
  if (elsewhere.test(name)) return null;
  if (refusals.test(name)) return noRefusal.test(name) ? null : 'no';
  if (details.test(name)) return null;
  if (wishes.test(name)) return 'yes';
  return stateNames.test(name) ? 'state' : null;
}

/** The state of a country, beside a city. */
function isRegion(names: readonly string[], at: number, rows: readonly CsvRow[]): boolean {
  if (names[at] !== 'state' || !names.some((name) => regions.test(name))) return false;
  return !rows.some(({ cells }) => isKnownState(cells[at] ?? ''));
}

/** How surely a heading names addresses; the less the surer. Three of no such heading. */
function rankOf(name: string): number {
  if (/^e ?mail( address)?$/.test(name)) return 0;
  if (/\be ?mail\b/.test(name) && saysOf(name) === null && !details.test(name)) return 1;
  return /^(address|mail|mail address|subscriber|recipient|contact|user ?name)$/.test(name) ? 2 : 3;
}

/** By its name first, and by what its cells look like second. -1 where there is none. */
function addressColumn(names: readonly string[], rows: readonly CsvRow[]): number {
  const found = names.map((name, at) => ({
    at,
    rank: rankOf(name),
    share: addressShare(rows, at),
  }));
  const ranked = found.toSorted((one, other) => one.rank - other.rank);
  const [likeliest] = found
    .filter(({ share }) => share >= 0.5)
    .toSorted((one, other) => other.share - one.share);
  const column =
    ranked.find(({ rank, share }) => rank < 2 && share >= 0.5) ??
    ranked.find(({ rank, share }) => rank < 2 && share > 0) ??
    ranked.find(({ rank, share }) => rank === 2 && share >= 0.5) ??
    likeliest ??
    ranked.find(({ rank }) => rank < 2);
  return column?.at ?? -1;
}

/** Of the cells that hold something: how many hold one @. */
function addressShare(rows: readonly CsvRow[], at: number): number {
  const filled = rows.map(({ cells }) => (cells[at] ?? '').trim()).filter((cell) => cell !== '');
  const like = filled.filter((cell) => /^[^\s@]+@[^\s@]+$/.test(cell));
  return filled.length === 0 ? 0 : like.length / filled.length;
}
