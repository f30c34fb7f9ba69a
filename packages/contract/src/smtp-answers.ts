/**
 * Of whom a mail server speaks when it refuses for good. Pure: the console puts it into words by the
 * same rule by which the service waits or gives up.
 */

/** `sender`: who sends, or what they may; mended by whoever runs the desk. `mailbox`: there is none. */
export type Blamed = 'sender' | 'mailbox' | 'email';

/** Of signing in (RFC 4954). */
const SIGN_IN_CODES: ReadonlySet<string> = new Set(['530', '534', '535', '538']);
const ENHANCED = /^5\d\d[ -]\d\.\d+\.\d+/;
/** Of the sender's address, what a sender may, and how much (RFC 3463, 3.2, 3.5 and 3.8; Gmail; Exchange). */
const SENDER_CODES = /^5\d\d[ -]5\.(1\.([78]|90)|2\.252|4\.[56]|7\.\d+)\b|SendAsDenied/;
/** Of the mailbox (RFC 3463, 3.2 and 3.3): no such one, moved, no such host, closed; never the sender's. */
const MAILBOX_CODES = /^5\d\d[ -]5\.(1\.([1-6]|10)|2\.1)\b/;

/** Each is looked for before the next, where a server gives no such code. */
const WORDS: readonly (readonly [RegExp, Blamed])[] = [
  [/mailbox (is )?full|storage|over ?quota|message size|too (large|big|long)/i, 'email'],
  [/\bsender\b|\bfrom address\b|\bsend as\b|not verified|identit|suspend/i, 'sender'],
  [
    /no such (user|recipient|address|mailbox|account|person)|unknown (user|recipient|mailbox|address)|(user|recipient|mailbox|account|address)\b.{0,30}\b(unknown|unlisted|not found|unavailable|disabled|inactive|(does|do)(n't| not) exist)|(invalid|no) (recipient|mailbox)/i,
    'mailbox',
  ],
  [/quota|limit|exceed|too many/i, 'sender'],
  [
    /relay|spam|polic|block|denied|reputation|\b((black|deny|gr[ae]y)-?)?listed\b|auth|permi(ssion|tted)|spf|dkim|dmarc/i,
    'sender',
  ],
];

/** Letters of an answer that are looked at: whoever runs a server can write as many as they like. */
const LONGEST_ANSWER = 1000;

/** `line`: the server's own, as `550 5.1.1 No such user`. What looks like an address says nothing. */
export function blamedBy(line: string): Blamed {
  const answer = line.slice(0, LONGEST_ANSWER);
  if (SIGN_IN_CODES.has(answer.slice(0, 3))) return 'sender';
  if (ENHANCED.test(answer)) {
    if (SENDER_CODES.test(answer)) return 'sender';
    return MAILBOX_CODES.test(answer) ? 'mailbox' : 'email';
  }
  const words = answer.replaceAll(/<[^>]*>|\S+@\S+/g, '');
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'email';
}
