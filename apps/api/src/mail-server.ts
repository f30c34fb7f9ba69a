/** Parses `MAIL_URL` and `MAIL_FROM`; null for invalid values. Pure. */

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte; `starttls` required; `offered`: STARTTLS if available, with any certificate; `none`. */
  readonly security: 'tls' | 'starttls' | 'offered' | 'none';
  readonly username: string;
  readonly password: string;
  /** For the connection with its greeting, and for each answer but the last: that one has minutes. */
  readonly timeoutSeconds: number;
}

export interface MailFrom {
  readonly name: string;
  readonly address: string;
}

export const noMailServer =
  'MAIL_URL is not set. In production emails must go out: set it to smtp://user:password@host:port of your mail server.';

export const MAIL_TIMEOUT_SECONDS = 10;
const LONGEST_TIMEOUT_SECONDS = 60;
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** `smtp://user:password@host:port`, `smtps://` for TLS from the first byte; `?timeout=` in seconds. */
export function parseMailServer(text: string): MailServer | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const port = PORTS[url?.protocol ?? ''];
  if (url === null || port === undefined || url.hostname === '') return null;
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') return null;
  const timeout = url.searchParams.get('timeout') ?? String(MAIL_TIMEOUT_SECONDS);
  const timeoutSeconds = /^\d{1,2}$/.test(timeout) ? Number.parseInt(timeout, 10) : 0;
  if (timeoutSeconds < 1 || timeoutSeconds > LONGEST_TIMEOUT_SECONDS) return null;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (username === null || password === null) return null;
  // An attacker in the middle could remove STARTTLS from the offer and get the password.
  const offered = username === '' || isLoopbackHost(host) ? 'offered' : 'starttls';
  return {
    host,
    port: url.port === '' ? port : Number.parseInt(url.port, 10),
    security: url.protocol === 'smtps:' ? 'tls' : offered,
    username,
    password,
    timeoutSeconds,
  };
}

/** Which of user and password is missing: with one alone every email would be refused. */
export function lacksHalfOfSignIn(text: string): 'user' | 'password' | null {
  const server = parseMailServer(text);
  if (server === null || (server.username === '') === (server.password === '')) return null;
  return server.username === '' ? 'user' : 'password';
}

/** `desk@example.com`, or `Example Desk <desk@example.com>`. */
export function parseMailFrom(text: string): MailFrom | null {
  const match = /^(?:([^<>\p{Cc}]*?) *<([^<>\s]+)>|([^<>\s]+))$/u.exec(text);
  const address = match?.[2] ?? match?.[3] ?? '';
  if (!isMailAddress(address)) return null;
  return { name: (match?.[1] ?? '').replace(/^"(.*)"$/, '$1'), address };
}

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text);
}

export function isLoopbackHost(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
