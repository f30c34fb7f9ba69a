/**
 * Where letters go: the environment's server, the settings' one, or a local
 * mailbox while trying things out. A server that hangs is given up after a
 * while, and holds up nothing but the letters behind it.
 */
import { blamedBy } from '@cambist/contract/mail-answers';
import { SECOND } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { read, readSecret } from '#features/content/settings/settings.ts';
import { MAIL_TIMEOUT_SECONDS, type MailFrom, type MailServer } from '../../mail-server.ts';
import { oneLine } from './header.ts';
import { keepInMailbox } from './mailbox.ts';
import { openPatience, SOCKET_IDLE_MS, type PatienceOptions } from './patience.ts';
import { withoutSignIn } from './secret-pieces.ts';
import type { Rendered } from './template.ts';

export type DeliveryDeps = Pick<Deps, 'config' | 'db' | 'published' | 'keys'>;

export interface Way {
  readonly transport: 'environment' | 'settings' | 'local' | 'none';
  /** Null for the local mailbox, and where there is none. */
  readonly server: MailServer | null;
  readonly from: MailFrom;
  readonly replyTo: string;
}

/** A letter as it goes out. */
export interface Outgoing extends Rendered {
  readonly id: string;
  readonly messageId: string;
  readonly date: Date;
  readonly to: MailFrom;
  readonly subject: string;
  /** A person's or a list's; else it is automatic. */
  readonly writtenBy?: 'person' | 'list';
  /** Of this letter alone, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export async function findWay(deps: DeliveryDeps): Promise<Way> {
  const { config } = deps;
  const settings = await read(deps, 'mail');
  const from = config.mail.from ?? {
    name: settings.from_name,
    address:
      settings.from_address === ''
        ? `no-reply@${new URL(config.frontendUrl).hostname}`
        : settings.from_address,
  };
  const way = { from, replyTo: settings.reply_to };
  if (config.mail.server) return { ...way, transport: 'environment', server: config.mail.server };
  if (settings.host !== '') {
    const { host, port, security, username } = settings;
    const password = username === '' ? '' : ((await readSecret(deps, 'mail', 'password')) ?? '');
    const timeoutSeconds = MAIL_TIMEOUT_SECONDS;
    const server = { host, port, security, username, password, timeoutSeconds };
    return { ...way, transport: 'settings', server };
  }
  return { ...way, transport: config.appEnv === 'local' ? 'local' : 'none', server: null };
}

/**
 * Hands a letter over; answers the server's own words.
 * @throws {Error} when it was not taken, or nobody knows whether it was
 */
export async function deliver(
  deps: DeliveryDeps,
  letter: Outgoing,
  waiting: Omit<PatienceOptions, 'stepMs'> = {},
): Promise<string> {
  const way = await findWay(deps);
  const general = await read(deps, 'general');
  const from = { ...way.from, name: oneLine(way.from.name || general.site_name) };
  const to = { name: oneLine(letter.to.name), address: letter.to.address };
  if (way.transport === 'none') throw new Error('No mail server is set.');
  if (way.server === null) return keepInMailbox(deps.config, { ...letter, from, to });
  return send(way.server, { ...letter, from, to, replyTo: way.replyTo }, waiting);
}

async function send(
  server: MailServer,
  letter: Outgoing & { from: MailFrom; replyTo: string },
  waiting: Omit<PatienceOptions, 'stepMs'>,
): Promise<string> {
  // Loaded with the first letter: a start need not wait for it.
  const { createTransport } = await import('nodemailer');
  const timeoutMs = server.timeoutSeconds * SECOND;
  const patience = openPatience({ ...waiting, stepMs: timeoutMs });
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    // Where it would go in the clear too, whoever stands between gains nothing by a certificate of
    // their own; and mail servers on the same machine mostly have one that nobody vouches for.
    ...(server.security === 'offered' ? { tls: { rejectUnauthorized: false } } : {}),
    ...(server.username === '' ? {} : { auth: { user: server.username, pass: server.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: SOCKET_IDLE_MS,
    logger: patience.logger,
    // Tells of each answer too; credentials are not in it, and nobody keeps it.
    transactionLog: true,
    // Letters hold words that strangers typed: none of them is a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response } = await transport.sendMail({
      messageId: letter.messageId,
      // The day it was written, so that a second delivery is the same letter to the last header.
      date: letter.date,
      from: letter.from,
      to: letter.to,
      ...(letter.replyTo === '' ? {} : { replyTo: letter.replyTo }),
      // Said outright, so that nothing in a header can name another recipient.
      envelope: { from: letter.from.address, to: [letter.to.address] },
      subject: oneLine(letter.subject),
      text: letter.text,
      html: letter.html,
      headers: { ...manners(letter), ...letter.headers },
      signal: patience.signal,
    });
    return withoutSignIn(response, server);
  } catch (error) {
    throw cleaned(server, patience.signal.aborted ? patience.signal.reason : error);
  } finally {
    patience.end();
    transport.close();
  }
}

const NO_PASSWORD = 'The mail server has a sign-in: a user name is set, and no password.';

/** Whether nobody was told what we sign in with: servers that have no sign-in take letters without. */
function lacksPassword({ username, password }: MailServer, code?: string): boolean {
  return code === 'EAUTH' && username !== '' && password === '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is known of a failure, without what we signed in with: a server may repeat it. */
function cleaned(server: MailServer, error: unknown): Error {
  const { code, command, responseCode, response } = error as Refused;
  const words = lacksPassword(server, code) ? NO_PASSWORD : messageOf(error);
  return Object.assign(new Error(withoutSignIn(words, server)), {
    code,
    command,
    responseCode,
    ...(response === undefined ? {} : { response: withoutSignIn(response, server) }),
  });
}

/** What keeps machines from answering (RFC 3834); to a person's own letter they may. */
function manners({ writtenBy }: Outgoing): Readonly<Record<string, string>> {
  if (writtenBy === 'person') return {};
  return {
    'X-Auto-Response-Suppress': 'All',
    ...(writtenBy === 'list' ? { Precedence: 'bulk' } : { 'Auto-Submitted': 'auto-generated' }),
  };
}

interface Refused {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Whether a server has refused the sender, the reader or the letter, and not only for now. */
export function isRefused(error: unknown): boolean {
  const { code = '', responseCode = 0 } = error as Refused;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}

/**
 * Whether a server has refused this reader or this letter for good: trying again would be refused
 * again. What it has against the sender, a sign-in or an address, is mended, and the letter waits.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { command = '', responseCode = 0, response = '' } = error as Refused;
  if (responseCode < 500) return false;
  if (command !== 'DATA' && !command.startsWith('RCPT')) return false;
  // Many servers name what they have against the sender only when they hear the recipient, or the letter.
  return blamedBy(response) !== 'sender';
}

/** Whether a server has said that there is no such mailbox: about this recipient, and for good. */
export function isMailboxGone(error: unknown): boolean {
  const { code = '', command = '', responseCode = 0, response = '' } = error as Refused;
  if (code !== 'EENVELOPE' || !command.startsWith('RCPT') || responseCode < 500) return false;
  return blamedBy(response) === 'mailbox';
}
