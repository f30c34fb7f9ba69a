/**
 * Parses the environment into `Config` and reports all errors at once. Empty, and the word `null`, mean unset.
 * `main.ts` and the tools pass the variables in; nothing here reads `process.env` or a file.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  ConfigError,
  EnvironmentReader,
  type Listen,
  type ProviderClient,
  type Variables,
} from './environment.ts';
import {
  lacksHalfOfSignIn,
  parseMailFrom,
  parseMailServer,
  type MailFrom,
  type MailServer,
} from './mail-server.ts';

export interface Config {
  appEnv: 'local' | 'production';
  /** 32 bytes. Null when APP_KEY is missing: public reads work, stateful requests answer 500. */
  appKey: Buffer | null;
  /** The public origins of API and frontend, without a trailing slash. */
  appUrl: string;
  frontendUrl: string;
  apiListen: Listen;
  webListen: Listen;
  /** How many processes serve the API: the launcher starts them on one port, and they count throttles together. */
  apiProcesses: number;
  /** Absolute. */
  dataDir: string;
  /** Null: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null;
  /** The owner of the tables, who migrates them; null: the role of `databaseUrl`. */
  databaseOwnerUrl: string | null;
  session: {
    domain: string | null;
    secure: boolean;
    sameSite: 'lax' | 'strict' | 'none';
    idleMinutes: number;
    absoluteHours: number;
    adminIdleMinutes: number;
    adminAbsoluteHours: number;
  };
  corsAllowedOrigins: readonly string[];
  /** `host` or `host:port`, as `URL.host` writes them. */
  statefulDomains: readonly string[];
  /** Addresses and CIDR ranges whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: readonly string[];
  /** Multiplies every throttle's limit; 0 switches throttling off. */
  throttleScale: number;
  /** MAIL_URL and MAIL_FROM override the settings. */
  mail: {
    server: MailServer | null;
    from: MailFrom | null;
  };
  /** Override the settings; the addresses differ from the real ones only in tests. */
  providers: {
    google: ProviderClient | null;
    facebook: ProviderClient | null;
    googleIssuer: string;
    facebookUrl: string;
    facebookGraphUrl: string;
  };
  /** In tests, one address for all rate providers, each under its name. */
  rateProvidersUrl: string | null;
  admin: { email: string | null; password: string | null };
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** Each needs 16 connections, and PostgreSQL takes 100 by default. */
const MOST_PROCESSES = 5;
const ABSOLUTE_HOURS = 30 * 24;
// Admins move other people's money: they must not stay signed in for long.
const ADMIN_IDLE_MINUTES = 30;
const ADMIN_ABSOLUTE_HOURS = 12;

// Specification, section 5: the list is built from the local development hosts
// and the host of FRONTEND_URL.
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [
  host,
  `${host}:4000`,
  `${host}:8000`,
]);

/** @throws {ConfigError} with all errors */
export function readConfig(env: Variables): Config {
  const complaints: string[] = [];
  const read = new EnvironmentReader(env, complaints);

  const apiListen = read.listen('API_LISTEN', 8000);
  const webListen = read.listen('WEB_LISTEN', 4000);
  if (apiListen.port === webListen.port && apiListen.host === webListen.host) {
    complaints.push('API_LISTEN and WEB_LISTEN name the same port; give each its own.');
  }
  const appUrl = read.origin('APP_URL') ?? defaultUrl(apiListen);
  const frontendUrl = read.origin('FRONTEND_URL') ?? defaultUrl(webListen);
  const idleMinutes = read.integer('SESSION_LIFETIME', 120, 1, ABSOLUTE_HOURS * 60);

  const config: Config = {
    appEnv: read.choice('APP_ENV', ['local', 'production'], 'local'),
    appKey: read.key(),
    appUrl,
    frontendUrl,
    apiListen,
    webListen,
    apiProcesses: read.integer('API_PROCESSES', 1, 1, MOST_PROCESSES),
    dataDir: resolve(REPOSITORY, read.text('DATA_DIR') ?? 'storage'),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseOwnerUrl: read.databaseUrl('DATABASE_OWNER_URL'),
    session: {
      domain: read.domain(),
      secure: read.boolean('SESSION_SECURE_COOKIE') ?? appUrl.startsWith('https:'),
      sameSite: read.choice('SESSION_SAME_SITE', ['lax', 'strict', 'none'], 'lax'),
      idleMinutes,
      absoluteHours: ABSOLUTE_HOURS,
      adminIdleMinutes: Math.min(idleMinutes, ADMIN_IDLE_MINUTES),
      adminAbsoluteHours: ADMIN_ABSOLUTE_HOURS,
    },
    corsAllowedOrigins: read.origins() ?? [frontendUrl],
    statefulDomains: [...new Set([...LOCAL_HOSTS, '::1', new URL(frontendUrl).host])],
    trustedProxies: read.proxies() ?? (isLoopback(apiListen.host) ? LOOPBACK : []),
    throttleScale: read.scale(),
    mail: readMail(read),
    providers: {
      google: read.providerClient('GOOGLE'),
      facebook: read.providerClient('FACEBOOK'),
      googleIssuer: read.providerUrl('GOOGLE_ISSUER', 'https://accounts.google.com'),
      facebookUrl: read.providerUrl('FACEBOOK_URL', 'https://www.facebook.com'),
      facebookGraphUrl: read.providerUrl('FACEBOOK_GRAPH_URL', 'https://graph.facebook.com'),
    },
    rateProvidersUrl: read.providerUrl('RATE_PROVIDERS_URL', null),
    admin: read.admin(),
    logLevel: read.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  };
  if (complaints.length > 0) throw new ConfigError(complaints);
  return config;
}

function readMail(read: EnvironmentReader): Config['mail'] {
  return {
    server: read.parsed(
      'MAIL_URL',
      (value) => (lacksHalfOfSignIn(value) ? null : parseMailServer(value)),
      mailUrlComplaint,
    ),
    from: read.parsed(
      'MAIL_FROM',
      parseMailFrom,
      (value) =>
        `MAIL_FROM is "${value}"; it must be an address, such as Example Desk <desk@example.com>.`,
    ),
  };
}

/** It may hold a password, so it is not repeated. */
function mailUrlComplaint(value: string): string {
  const half = lacksHalfOfSignIn(value);
  return half === null
    ? 'MAIL_URL must be smtp://user:password@host:port, or smtps:// for TLS from the first byte; special characters in the password are percent-encoded.'
    : `MAIL_URL has no ${half}, and the mail server takes user and password only together; write smtp://user:password@host:port, or leave both out where the server asks for none.`;
}

// Only this machine reaches a loopback address: the frontend's server, or a local proxy.
const LOOPBACK = ['127.0.0.1', '::1'] as const;

function isLoopback(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host);
}

/** The usual address of a listening socket, for people. */
function defaultUrl({ host, port }: Listen): string {
  const everyday = /^(127\.|0\.0\.0\.0$|::1?$|localhost$)/.test(host);
  const name = everyday ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/**
 * Warnings about valid settings that prevent signing in, each with the variable to change: nearly every "419"
 * or "401 after sign-in" comes from one of them.
 */
export function warnings(config: Config): string[] {
  const api = new URL(config.appUrl);
  const web = new URL(config.frontendUrl);
  return [
    ...keyWarnings(config),
    ...domainWarnings(config, api, web),
    ...schemeWarnings(config, api, web),
    ...originWarnings(config),
  ];
}

function keyWarnings({ appKey }: Config): string[] {
  return appKey === null
    ? [
        'APP_KEY is missing: public pages work, but signing in and everything behind it answers 500.',
      ]
    : [];
}

function domainWarnings({ session: { domain } }: Config, api: URL, web: URL): string[] {
  if (domain === null) return siblingWarnings(api, web);
  const found = (
    [
      ['APP_URL', api],
      ['FRONTEND_URL', web],
    ] as const
  )
    .filter(([, url]) => !covers(domain, url.hostname))
    .map(
      ([name, url]) =>
        `SESSION_DOMAIN ${domain} does not cover ${name} (${url.hostname}): the browser will refuse the cookies and sign-in answers 419.`,
    );
  if (!domain.slice(1).includes('.')) {
    found.push(
      `SESSION_DOMAIN ${domain} has a single label: browsers keep no cookies for a whole top-level domain.`,
    );
  }
  return found;
}

/** Without a shared domain the frontend's script cannot read the API's XSRF-TOKEN cookie. */
function siblingWarnings(api: URL, web: URL): string[] {
  if (api.hostname === web.hostname) return [];
  const shared = sharedDomain(api.hostname, web.hostname);
  if (shared === null) {
    return [
      `APP_URL (${api.hostname}) and FRONTEND_URL (${web.hostname}) are different sites: browsers will not send the session cookie. Use one host, or sibling subdomains with SESSION_DOMAIN.`,
    ];
  }
  return [
    `SESSION_DOMAIN is not set, but APP_URL (${api.hostname}) and FRONTEND_URL (${web.hostname}) differ: sign-in will answer 419. Set SESSION_DOMAIN=${shared}.`,
  ];
}

function schemeWarnings({ session }: Config, api: URL, web: URL): string[] {
  const found: string[] = [];
  for (const [name, url] of [
    ['APP_URL', api],
    ['FRONTEND_URL', web],
  ] as const) {
    if (session.secure && url.protocol !== 'https:') {
      found.push(
        `SESSION_SECURE_COOKIE is on, but ${name} is not https: browsers drop secure cookies on http.`,
      );
    }
  }
  if (!session.secure && api.protocol !== web.protocol) {
    found.push(
      'APP_URL and FRONTEND_URL differ in http and https: browsers treat them as different sites and do not send the cookies.',
    );
  }
  if (session.sameSite === 'none' && !session.secure) {
    found.push(
      'SESSION_SAME_SITE is none without SESSION_SECURE_COOKIE: browsers drop such cookies.',
    );
  }
  return found;
}

function originWarnings({ corsAllowedOrigins, frontendUrl }: Config): string[] {
  if (corsAllowedOrigins.includes(frontendUrl)) return [];
  return [
    `CORS_ALLOWED_ORIGINS does not name FRONTEND_URL (${frontendUrl}): its browser calls will be refused.`,
  ];
}

function covers(domain: string, host: string): boolean {
  return host === domain.slice(1) || host.endsWith(domain);
}

/** The longest common ending of at least two labels, such as `.example.com`; else null. */
function sharedDomain(one: string, other: string): string | null {
  const [left, right] = [one.split('.').toReversed(), other.split('.').toReversed()];
  const end = left.findIndex((label, at) => label !== right[at]);
  const common = end === -1 ? left : left.slice(0, end);
  const isAddress = /^[\d.]+$|:/.test(one) || /^[\d.]+$|:/.test(other);
  return common.length >= 2 && !isAddress ? `.${common.toReversed().join('.')}` : null;
}
