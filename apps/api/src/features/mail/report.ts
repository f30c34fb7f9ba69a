/**
 * A message that came to the address for bounces, read: a delivery status (RFC 3464, RFC 6533), a
 * complaint (RFC 5965), what older servers write, a machine's answer (RFC 3834), or a person's letter.
 * Everything in it is a stranger's words. Pure.
 */
import PostalMime, { type Attachment, type Email } from 'postal-mime';

export interface GivenUp {
  /** As it was and as it became on the way, in small letters. */
  readonly addresses: readonly string[];
  /** As a server would have said it at once: `550 5.1.1 No such user`. */
  readonly answer: string;
}

export interface Report {
  /** `returned`: nobody tries it any more; `delayed`: somebody does; `machine`: nothing to be done. */
  readonly kind: 'returned' | 'delayed' | 'complaint' | 'machine' | 'person';
  /** Texts in which the envelope's sender may be named, the surest first. */
  readonly mentions: readonly string[];
  readonly recipients: readonly GivenUp[];
}

type Fields = ReadonlyMap<string, string>;

/** Nobody writes reports with deeper parts, or to so many. */
const LIMITS = { maxNestingDepth: 12, maxHeadersSize: 256 * 1024 };
const MOST_RECIPIENTS = 50;
/** Letters of what is read: of one field, of what a report says of its recipients, and in its words. */
const LONGEST_FIELD = 2000;
const LONGEST_STATUS = 64_000;
const LONGEST_TEXT = 16_000;
const LONGEST_ANSWER = 500;
/** By what servers tell whom a message was for. */
const ADDRESSED = [
  'x-original-to',
  'delivered-to',
  'envelope-to',
  'x-envelope-to',
  'x-delivered-to',
  'to',
];
/** A reader who wants no more letters; other reports are about viruses, or say that all is well. */
const COMPLAINTS = ['abuse', 'opt-out', 'fraud'];

/** Null for what is no message at all. */
export async function readReport(raw: Uint8Array): Promise<Report | null> {
  let email: Email;
  try {
    email = await PostalMime.parse(raw, LIMITS);
  } catch {
    return null;
  }
  const headers = fieldsOf(email);
  const returned = await partOf(email, /^(message\/(rfc822|global)|text\/rfc822-headers)/);
  const mentions = [...ADDRESSED.map((name) => headers.get(name)), returned?.get('return-path')];
  const about = (more: readonly (string | undefined)[]) =>
    [...mentions, ...more].filter((text) => text !== undefined);

  const complaint = await partOf(email, /^message\/feedback-report/);
  if (complaint) {
    const isComplaint = COMPLAINTS.includes(
      complaint.get('feedback-type')?.trim().toLowerCase() ?? '',
    );
    return {
      kind: isComplaint ? 'complaint' : 'machine',
      mentions: about([complaint.get('original-mail-from')]),
      recipients: [],
    };
  }
  const status = find(email, /^message\/(global-)?delivery-status/);
  if (status) return { ...(await statusOf(status)), mentions: about([]) };
  const failed = headers.get('x-failed-recipients');
  if (failed !== undefined) {
    const recipient = {
      addresses: addressesIn(failed),
      answer: answerIn((email.text ?? '').slice(0, LONGEST_TEXT)),
    };
    return { kind: 'returned', mentions: about([]), recipients: [recipient] };
  }
  return { kind: isMachine(headers) ? 'machine' : 'person', mentions: about([]), recipients: [] };
}

async function statusOf(part: Attachment): Promise<Pick<Report, 'kind' | 'recipients'>> {
  const [, ...groups] = textOf(part)
    .slice(0, LONGEST_STATUS)
    .split(/\r?\n[ \t]*\r?\n/, MOST_RECIPIENTS + 1);
  const recipients = await Promise.all(groups.map((group) => readFields(group)));
  const failed = recipients.filter((fields) => actionOf(fields) === 'failed');
  if (failed.length > 0) return { kind: 'returned', recipients: failed.map(givenUp) };
  const isDelayed = recipients.some((fields) => actionOf(fields) === 'delayed');
  return { kind: isDelayed ? 'delayed' : 'machine', recipients: [] };
}

function actionOf(fields: Fields): string {
  const said = fields.get('action')?.trim().toLowerCase();
  if (said !== undefined) return said;
  const status = fields.get('status') ?? '';
  if (status.startsWith('5.')) return 'failed';
  return status.startsWith('4.') ? 'delayed' : '';
}

function givenUp(fields: Fields): GivenUp {
  const original = fields.get('original-recipient') ?? '';
  const final = fields.get('final-recipient') ?? '';
  return {
    // Of the original one `+` and `=` may be written as digits (RFC 3461, 4).
    addresses: [original, decoded(original), final].flatMap(addressesIn),
    answer: cut(answerOf(fields), LONGEST_ANSWER),
  };
}

function decoded(text: string): string {
  return text.replaceAll(/\+([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function addressesIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s<>,;"]+/)
    .filter((word) => /.@./.test(word));
}

/** No word is cut in two: a piece of a secret would not be known as one. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, Math.max(text.lastIndexOf(' ', most), 0));
}

/** The server's own line, with the code that the report gives where the line has none. */
function answerOf(fields: Fields): string {
  const said = fields.get('diagnostic-code') ?? '';
  const line = said
    .replace(/^[\w.-]+\s*;/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status')?.trim() ?? '')?.[0] ?? '';
  // Of "something" nothing follows: the words say more.
  const code = status.endsWith('.0.0') ? '' : `${status} `.trimStart();
  if (!/^[45]\d\d\b/.test(line)) return `${status.startsWith('4') ? 450 : 550} ${code}${line}`;
  const hasCode = /^\d\d\d[ -]\d\.\d+\.\d+/.test(line);
  return hasCode ? line : `${line.slice(0, 3)} ${code}${line.slice(4).trim()}`;
}

/** What looks like a server's refusal in the words of a report. */
function answerIn(text: string): string {
  const line = /(?:^|[\s:])([45]\d\d[ -][^\r\n]{3,2000})/.exec(text)?.[1];
  return line === undefined ? '550' : cut(line.trim(), LONGEST_ANSWER);
}

function isMachine(headers: Fields): boolean {
  const submitted = headers.get('auto-submitted')?.trim().toLowerCase() ?? 'no';
  const precedence = headers.get('precedence')?.trim().toLowerCase() ?? '';
  return (
    submitted !== 'no' ||
    ['bulk', 'list', 'junk', 'auto_reply'].includes(precedence) ||
    ['x-autoreply', 'x-autorespond', 'x-auto-reply'].some((name) => headers.has(name)) ||
    /^multipart\/report/i.test(headers.get('content-type') ?? '')
  );
}

function find({ attachments }: Email, type: RegExp): Attachment | undefined {
  return attachments.find(({ mimeType }) => type.test(mimeType));
}

/** The fields that a part of this type begins with. */
async function partOf(email: Email, type: RegExp): Promise<Fields | null> {
  const part = find(email, type);
  if (part === undefined) return null;
  const [first = ''] = textOf(part).split(/\r?\n\r?\n/, 1);
  return readFields(first);
}

function textOf({ content }: Attachment): string {
  const text = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer);
  return text.toString().trimStart();
}

async function readFields(lines: string): Promise<Fields> {
  try {
    return fieldsOf(await PostalMime.parse(`${lines}\r\n\r\n`, LIMITS));
  } catch {
    return new Map();
  }
}

/** Where a field is there several times, all that it says, up to some length. */
function fieldsOf({ headers }: Email): Fields {
  const fields = new Map<string, string>();
  for (const { key, value } of headers) {
    const before = fields.get(key);
    if (before !== undefined && before.length >= LONGEST_FIELD) continue;
    const said = cut(value, LONGEST_FIELD);
    fields.set(key, before === undefined ? said : `${before}, ${said}`);
  }
  return fields;
}
