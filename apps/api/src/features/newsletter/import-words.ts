/**
 * What the cells of an imported list say. Only words that stand here make somebody a
 * subscriber: what is not understood is not one, and the admin is told. Pure.
 */
import { domainToASCII } from 'node:url';
import { isMailAddress } from '../../mail-server.ts';

/** In small letters and figures, one space between: `Opted-In`, `opted_in` and `optedIn` are one word. */
export function plain(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const getsLetters =
  /^(subscribed|subscribers?|active|confirmed|yes|y|true|t|1|on|x|checked|ok|(single |double |confirmed )?(opt|opted) ?in|enabled|verified|valid|deliverable|granted|explicit|express|allowed|accepted|agreed|consented|marketing contact)$/;
const getsNone =
  /^(no|n|false|f|0|off|left|never|none|inactive|pending|unconfirmed|unverified|(awaiting|waiting)( .*)?|disabled|deleted|removed|archived|blocked|cleaned|redacted|invalid|undeliverable|expired|cancell?ed|revoked|denied|declined|rejected|junk|dormant|gone|transactional|validating|closed|paused|suspended)$/;
/** Said of nothing but letters, so that it counts wherever it stands. */
const refuses =
  /^(unsub(scribed)?|opt(ed)? ?out|(hard |soft )?bounced|hard bounce|marked as spam|spam( complaint)?|complained|(black|block) ?listed|suppressed|cleaned|do not (e ?mail|mail|contact))$/;
const refusesWithin =
  /\b(unsub\w*|non ?(subscri|marketing)\w*|(not|never) (subscri|opt|confirm|verif|active|mailable|market)\w*|opt(ed)? ?out|bounc\w*|spam|complain\w*|(black|block|deny) ?list\w*|suppress\w*|do not \w+|abuse|quarantin\w*)\b/;
const isNothing = /^(no|n|false|f|0|off|none|never|null|na|n a|subscribed|active)?$/;
const isDate = /^(\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})/;

const LONGEST_REFUSAL = 30;

export type Meaning = 'subscribed' | 'left' | 'unknown';

/** Of a word that tells the state of somebody. */
export function meaningOf(cell: string): Meaning {
  const word = plain(cell);
  if (getsNone.test(word) || refusesWithin.test(word)) return 'left';
  return getsLetters.test(word) ? 'subscribed' : 'unknown';
}

/** Of whether somebody wants letters; when they said so will do. */
export function wishOf(cell: string): Meaning {
  return isDate.test(cell.trim()) && !isNoDate(cell) ? 'subscribed' : meaningOf(cell);
}

/** Of whether, when or why somebody is written no letters. */
export function refusalOf(cell: string): Meaning {
  return isNothing.test(plain(cell)) || isNoDate(cell) ? 'subscribed' : 'left';
}

const isNoDate = (cell: string) => cell.trim().startsWith('0000-00-00');

/** Whatever column a word stands in that says that somebody must not be written to. */
export function isRefusal(cell: string): boolean {
  return cell.length <= LONGEST_REFUSAL && refuses.test(plain(cell));
}

export const isKnownState = (cell: string): boolean =>
  plain(cell) !== '' && meaningOf(cell) !== 'unknown';

/**
 * As a mail server takes it: with a host that has a dot, and in the letters that all of them know.
 * A host in other letters is put into these, as a browser does with what is typed into a form.
 */
export function addressOf(text: string): string | null {
  if (!isMailAddress(text)) return null;
  const address = text.replace(/(?<=@)(?=.*\P{ASCII})[\p{L}\p{M}\p{N}.-]+$/u, (host) =>
    domainToASCII(host),
  );
  const isTaken = /^[\x21-\x7e]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(address);
  return isTaken && address.length <= 254 ? address : null;
}

export const isAddress = (text: string): boolean => addressOf(text) !== null;

/** As the database takes it: without NUL, and without the half of a sign that was cut. */
export function noted(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
