/** Hands emails to the mail server: the environment's, the settings' one, or the local mailbox. */
import type { SettingValue } from '@cambist/contract/settings';
import { blamedBy } from '@cambist/contract/smtp-answers';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Deps } from '#platform/deps.ts';
import { opened, readSecret } from '#features/content/settings/secrets.ts';
import { read } from '#features/content/settings/settings.ts';
import { MAIL_TIMEOUT_SECONDS, type MailFrom, type MailServer } from '../../mail-server.ts';
import { storeInMailbox } from './mailbox.ts';
import { oneLine, type RenderedEmail } from './template.ts';

export type SmtpDeps = Pick<Deps, 'config' | 'db' | 'published' | 'keys'>;

export interface Route {
  readonly transport: 'environment' | 'settings' | 'local' | 'none';
  /** Null for the local mailbox, and where there is none. */
  readonly server: MailServer | null;
  readonly from: MailFrom;
  readonly replyTo: string;
}

export interface Message extends RenderedEmail {
  readonly id: string;
  readonly messageId: string;
  readonly date: Date;
  readonly to: MailFrom;
  readonly subject: string;
  /** By a person or to a list; else it is automatic. */
  readonly writtenBy?: 'person' | 'list';
  readonly headers: Readonly<Record<string, string>>;
}

/** Spam filters take a while to judge an email. Giving up earlier sends it twice. */
const IDLE_MS = 2 * MINUTE;

export async function findRoute(deps: SmtpDeps): Promise<Route> {
  const settings = await read(deps, 'mail');
  const signsIn =
    deps.config.mail.server === null && settings.host !== '' && settings.username !== '';
  const password = signsIn ? await readSecret(deps, 'mail', 'password') : null;
  return routeBy(deps.config, settings, password ?? '');
}

/** The mail server of the settings before a change of them. */
export interface FormerMail {
  readonly settings: SettingValue<'mail'>;
  /** The sealed password in base64; null: none. */
  readonly sealed: string | null;
}

/**
 * An email about another mail server goes through the one before as well: else a thief would name
 * their own, and nobody would be told.
 */
export function formerRoute(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  { settings, sealed }: FormerMail,
): Route {
  const row = { slug: 'mail', name: 'password', sealed: Buffer.from(sealed ?? '', 'base64') };
  return routeBy(config, settings, sealed === null ? '' : opened(keys, row));
}

function routeBy(config: Deps['config'], settings: SettingValue<'mail'>, password: string): Route {
  const fallback = `no-reply@${new URL(config.frontendUrl).hostname}`;
  const from = config.mail.from ?? {
    name: settings.from_name,
    address: settings.from_address === '' ? fallback : settings.from_address,
  };
  const route = { from, replyTo: settings.reply_to };
  if (config.mail.server) {
    return { ...route, transport: 'environment', server: config.mail.server };
  }
  if (settings.host !== '') {
    const { host, port, security, username } = settings;
    const timeoutSeconds = MAIL_TIMEOUT_SECONDS;
    const server = { host, port, security, username, password, timeoutSeconds };
    return { ...route, transport: 'settings', server };
  }
  return { ...route, transport: config.appEnv === 'local' ? 'local' : 'none', server: null };
}

/**
 * Answers what the server said.
 * @throws {Error} when it did not accept the message, or it is not known whether it did
 */
export async function deliver(
  deps: SmtpDeps,
  message: Message,
  { idleMs = IDLE_MS, route }: { readonly idleMs?: number; readonly route?: Route } = {},
): Promise<string> {
  const { transport, server, from: sender, replyTo } = route ?? (await findRoute(deps));
  const { site_name } = await read(deps, 'general');
  const from = { ...sender, name: oneLine(sender.name || site_name) };
  const to = { name: oneLine(message.to.name), address: message.to.address };
  if (transport === 'none') throw new Error('No mail server is set.');
  if (server === null) return storeInMailbox(deps.config, { ...message, from, to });
  const connection = await connect(server, idleMs);
  try {
    const { response } = await connection.sendMail({
      messageId: message.messageId,
      // The day it was written, so that a second delivery is the same to the last header.
      date: message.date,
      from,
      to,
      ...(replyTo === '' ? {} : { replyTo }),
      // Given apart, so that no header can name another recipient.
      envelope: { from: from.address, to: [to.address] },
      subject: oneLine(message.subject),
      text: message.text,
      html: message.html,
      headers: { ...automaticHeaders(message), ...message.headers },
    });
    return withoutSecrets(response, signInOf(server));
  } catch (error) {
    throw cleaned(server, error);
  } finally {
    connection.close();
  }
}

async function connect(server: MailServer, idleMs: number) {
  // Loaded with the first email: a start need not wait for it.
  const { createTransport } = await import('nodemailer');
  const timeoutMs = server.timeoutSeconds * SECOND;
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    // It would also be sent in the clear, so a forged certificate gains nothing; and mail servers on
    // the same machine mostly have one that no authority signed.
    ...(server.security === 'offered' ? { tls: { rejectUnauthorized: false } } : {}),
    ...(server.username === '' ? {} : { auth: { user: server.username, pass: server.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: idleMs,
    // Emails hold what strangers typed: none of it is a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

const NO_PASSWORD = 'The mail server has a sign-in: a user name is set, and no password.';

/** What is known of a failure, without the desk's sign-in: a server may repeat it. */
function cleaned(server: MailServer, error: unknown): Error {
  const { code, command, responseCode, response } = error as SmtpFailure;
  const lacksPassword = code === 'EAUTH' && server.username !== '' && server.password === '';
  const message = error instanceof Error ? error.message : String(error);
  const clean = (text: string) => withoutSecrets(text, signInOf(server));
  return Object.assign(new Error(lacksPassword ? NO_PASSWORD : clean(message)), {
    code,
    command,
    responseCode,
    ...(response === undefined ? {} : { response: clean(response) }),
  });
}

/** The password as it is, and as AUTH PLAIN and AUTH LOGIN carry it. */
function signInOf({ username, password }: MailServer): string[] {
  const base64 = (plain: string) => Buffer.from(plain).toString('base64');
  return [base64(`\0${username}\0${password}`), base64(password), password];
}

/** Hides secrets where a mail server quotes what it was sent. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** Keeps machines from answering (RFC 3834); to a person's own email they may. */
function automaticHeaders({ writtenBy }: Message): Readonly<Record<string, string>> {
  if (writtenBy === 'person') return {};
  return {
    'X-Auto-Response-Suppress': 'All',
    ...(writtenBy === 'list' ? { Precedence: 'bulk' } : { 'Auto-Submitted': 'auto-generated' }),
  };
}

/**
 * Whether a server has refused this recipient or this email for good. What it has against the sender
 * (a sign-in, an address, a quota) is to be mended, and the email is tried again.
 */
export function isRefusedForGood(error: unknown): boolean {
  return blame(error) !== null && blame(error) !== 'sender';
}

/** Whether a server has said that there is no such mailbox. */
export function isUndeliverable(error: unknown): boolean {
  return blame(error) === 'mailbox';
}

/** Null for anything but a 5xx to RCPT or DATA. */
function blame(error: unknown) {
  const { command = '', responseCode = 0, response = '' } = error as SmtpFailure;
  if (responseCode < 500) return null;
  if (command !== 'DATA' && !command.startsWith('RCPT')) return null;
  // Many servers name what they have against the sender only when they get the recipient or the text.
  return blamedBy(response);
}
